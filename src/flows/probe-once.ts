import { secondsToNextUtcMinute, utcMinute } from '../core/access/utc-window.ts';
import { PROBE_REUSE_SECONDS } from '../core/limits.ts';
import { type Observation, observe } from '../core/verdict/observation.ts';
import type { CounterStore } from '../ports/counter-store.ts';
import type { ProbeCache, ProbeKey, StoredProbe } from '../ports/probe-cache.ts';
import type { ProbeRequest, Prober } from '../ports/prober.ts';
import type { HostSlots } from './host-slots.ts';

export interface ProbeOnceParts {
  readonly prober: Prober;
  readonly cache: ProbeCache;
  readonly counters: CounterStore;
  readonly slots: HostSlots;
  readonly now: () => Date;
  /** A keyed hash: neither cache nor counters hold a URL that could carry a secret. */
  readonly keyOf: (text: string) => string;
  readonly probesPerHostMinute: number;
}

export type ProbeOnceResult =
  | {
      readonly kind: 'probe';
      readonly observation: Observation;
      readonly probedAt: Date;
      readonly cached: boolean;
    }
  /** The target's own budget is used up, whoever asks (gap G38). It is our overload, so nothing is stored. */
  | { readonly kind: 'rate_limited'; readonly retryAfterSeconds: number };

export type ProbeOnce = (
  request: ProbeRequest,
  isUsable?: (probe: StoredProbe) => boolean,
) => Promise<ProbeOnceResult>;

/**
 * One request per normalised URL and method in five minutes, however many ask (gaps G38 and G39). `isUsable` lets the
 * caller refuse a stored probe, such as one whose terms can no longer be signed.
 */
export function createProbeOnce(parts: ProbeOnceParts): ProbeOnce {
  const flights = new Map<string, Promise<ProbeOnceResult>>();
  return async (request, isUsable = () => true) => {
    const key: ProbeKey = { urlKey: parts.keyOf(request.target.normalized), method: request.method };
    const flightName = `${key.method} ${key.urlKey}`;
    const underWay = flights.get(flightName);
    if (underWay !== undefined) return asCached(await underWay);
    const flight = reuseOrProbe(request, key, isUsable, parts);
    flights.set(flightName, flight);
    try {
      return await flight;
    } finally {
      flights.delete(flightName);
    }
  };
}

async function reuseOrProbe(
  request: ProbeRequest,
  key: ProbeKey,
  isUsable: (probe: StoredProbe) => boolean,
  parts: ProbeOnceParts,
): Promise<ProbeOnceResult> {
  const since = new Date(parts.now().getTime() - PROBE_REUSE_SECONDS * 1_000);
  const stored = await parts.cache.find(key, since);
  if (stored !== null && isUsable(stored)) return { kind: 'probe', ...stored, cached: true };
  const { host, port } = request.target;
  const release = parts.slots.take(`${host}:${port}`);
  if (release === null) return { kind: 'rate_limited', retryAfterSeconds: 1 };
  try {
    return await probeWithinBudget(request, key, parts);
  } finally {
    release();
  }
}

async function probeWithinBudget(
  request: ProbeRequest,
  key: ProbeKey,
  parts: ProbeOnceParts,
): Promise<ProbeOnceResult> {
  const { host, port } = request.target;
  const probedAt = parts.now();
  const budget = {
    key: `probes:${parts.keyOf(`${host}:${port}`)}`,
    window: utcMinute(probedAt),
    limit: parts.probesPerHostMinute,
  };
  const { granted } = await parts.counters.reserve([budget]);
  if (!granted) return { kind: 'rate_limited', retryAfterSeconds: secondsToNextUtcMinute(probedAt) };
  const observation = observe(await parts.prober.probe(request));
  await parts.cache.keep(key, { observation, probedAt });
  return { kind: 'probe', observation, probedAt, cached: false };
}

/** Whoever came while it was under way did not cause it. */
function asCached(result: ProbeOnceResult): ProbeOnceResult {
  return result.kind === 'probe' ? { ...result, cached: true } : result;
}
