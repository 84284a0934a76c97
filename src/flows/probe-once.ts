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
  | (StoredProbe & { readonly kind: 'probe'; readonly cached: boolean })
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
    const wanted = wantedProbe(request, isUsable, parts);
    const flightName = `${wanted.key.method} ${wanted.key.urlKey}`;
    for (let other = flights.get(flightName); other !== undefined; other = flights.get(flightName)) {
      const result = await other;
      if (result.kind === 'rate_limited') return result;
      // Whoever came while it was under way did not cause it.
      if (wanted.accepts(result)) return { ...result, cached: true };
    }
    const flight = reuseOrProbe(wanted, parts).finally(() => flights.delete(flightName));
    flights.set(flightName, flight);
    return flight;
  };
}

/** A request with the key it is stored under and what it may reuse. */
interface WantedProbe {
  readonly request: ProbeRequest;
  readonly key: ProbeKey;
  readonly spelling: string;
  accepts(probe: StoredProbe): boolean;
}

type IsUsable = (probe: StoredProbe) => boolean;

function wantedProbe(request: ProbeRequest, isUsable: IsUsable, { keyOf }: ProbeOnceParts): WantedProbe {
  const { target, method, body } = request;
  const spelling = keyOf(target.href);
  return {
    request,
    key: { urlKey: keyOf(body === undefined ? target.normalized : `${target.normalized}\n${body}`), method },
    spelling,
    // Servers may treat '/x//' and '/x' differently, so a failure under one spelling says nothing about another: nobody
    // can make a seller look dead by asking for it oddly (gap L13).
    accepts: (probe) => isUsable(probe) && (probe.spelling === spelling || isReadable(probe.observation)),
  };
}

function isReadable(observation: Observation): boolean {
  return observation.kind === 'answered' && observation.challenge.kind === 'readable';
}

async function reuseOrProbe(wanted: WantedProbe, parts: ProbeOnceParts): Promise<ProbeOnceResult> {
  const since = new Date(parts.now().getTime() - PROBE_REUSE_SECONDS * 1_000);
  const stored = await parts.cache.find(wanted.key, since);
  if (stored !== null && wanted.accepts(stored)) return { kind: 'probe', ...stored, cached: true };
  const { host, port } = wanted.request.target;
  const release = parts.slots.take(`${host}:${port}`);
  if (release === null) return { kind: 'rate_limited', retryAfterSeconds: 1 };
  try {
    return await probeWithinBudget(wanted, parts);
  } finally {
    release();
  }
}

async function probeWithinBudget(wanted: WantedProbe, parts: ProbeOnceParts): Promise<ProbeOnceResult> {
  const { request, key, spelling } = wanted;
  const { host, port } = request.target;
  const probedAt = parts.now();
  const budget = {
    key: `probes:${parts.keyOf(`${host}:${port}`)}`,
    window: utcMinute(probedAt),
    limit: parts.probesPerHostMinute,
  };
  const { granted } = await parts.counters.reserve([budget]);
  if (!granted) return { kind: 'rate_limited', retryAfterSeconds: secondsToNextUtcMinute(probedAt) };
  const probe = { observation: observe(await parts.prober.probe(request)), probedAt, spelling };
  await parts.cache.keep(key, probe);
  return { kind: 'probe', ...probe, cached: false };
}
