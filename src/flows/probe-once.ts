import type { Counter } from '../core/access/quota.ts';
import { secondsToNextUtcHour, secondsToNextUtcMinute, utcMinute } from '../core/access/utc-window.ts';
import { PROBE_REUSE_SECONDS } from '../core/limits.ts';
import { type Observation, observe } from '../core/verdict/observation.ts';
import type { CounterStore } from '../ports/counter-store.ts';
import type { ProbeCache, ProbeKey, StoredProbe } from '../ports/probe-cache.ts';
import type { ProbeRequest, Prober } from '../ports/prober.ts';
import type { HostSlots } from './check/host-slots.ts';
import { atTarget, type Landed, landed, type PlaceParts, targetBusy } from './place-at-target.ts';

export interface ProbeOnceParts extends PlaceParts {
  readonly prober: Prober;
  readonly cache: ProbeCache;
  readonly counters: CounterStore;
  /** Those of this process: whoever finds none here need not ask the store. */
  readonly slots: HostSlots;
  readonly now: () => Date;
  /** A keyed hash: neither cache nor counters hold a URL that could carry a secret. */
  readonly keyOf: (text: string) => string;
  readonly probesPerHostMinute: number;
}

export type ProbeOnceResult =
  | (StoredProbe & { readonly kind: 'probe'; readonly cached: boolean })
  | RateLimited;

/** A budget is used up: the target's own, whoever asks (gap G38), or the caller's. Nothing is sent and nothing stored. */
export interface RateLimited {
  readonly kind: 'rate_limited';
  readonly retryAfterSeconds: number;
  readonly by: 'target' | 'caller';
}

export interface ProbeOptions {
  /** Lets the caller refuse a stored probe, such as one whose terms can no longer be signed. */
  readonly isUsable?: (probe: StoredProbe) => boolean;
  /** An hour's budget of the caller, raised together with the target's when a new probe is sent. */
  readonly budget?: Counter | null;
  /** What was in the store, where it was asked for before; it is asked again before anything is sent. */
  readonly stored?: Promise<StoredProbe | null>;
}

/** Only reads: whoever has to wait for something else first may ask for it meanwhile. */
export type FindProbe = (request: ProbeRequest) => Promise<StoredProbe | null>;

export function createFindProbe(parts: Pick<ProbeOnceParts, 'cache' | 'now' | 'keyOf'>): FindProbe {
  return (request) => findStored(keyFor(request, parts), parts);
}

export type ProbeOnce = (request: ProbeRequest, options?: ProbeOptions) => Promise<ProbeOnceResult>;

/** One request per normalised URL and method in five minutes, however many ask (gaps G38 and G39). */
export function createProbeOnce(parts: ProbeOnceParts): ProbeOnce {
  const flights = new Map<string, Flight>();
  return async (request, options = {}) => {
    const wanted = wantedProbe(request, options, parts);
    const flightName = `${wanted.key.method} ${wanted.key.urlKey}`;
    let waits = 0;
    for (let other = flights.get(flightName); other !== undefined; other = flights.get(flightName)) {
      // Odd spellings of one URL must not become a queue in which everybody waits for everybody.
      if (waits === WAITS_MAX || other.waiting === WAITING_MAX) return targetBusy(parts);
      const { result, kept } = await joined(other);
      if (result.kind === 'rate_limited' && result.by === 'target') return result;
      // Whoever came while it was under way did not cause it.
      if (result.kind === 'probe' && wanted.accepts(result)) return { ...result, cached: true };
      // Somebody else's empty purse is no reason to refuse this caller. It took no time, and nothing was sent.
      if (result.kind === 'probe') waits += 1;
      await kept;
    }
    const landing = ending(reuseOrProbe(wanted, parts), () => flights.delete(flightName));
    flights.set(flightName, { landing, waiting: 0 });
    return (await landing).result;
  };
}

const WAITS_MAX = 2;
/** Behind one slow URL; more would take the places of the whole service. */
const WAITING_MAX = 100;

interface Flight {
  readonly landing: Promise<Landed<ProbeOnceResult>>;
  waiting: number;
}

async function joined(flight: Flight): Promise<Landed<ProbeOnceResult>> {
  flight.waiting += 1;
  try {
    return await flight.landing;
  } finally {
    flight.waiting -= 1;
  }
}

/** A flight ends when the store has what it found: until then, whoever comes has it from the flight. */
async function ending<T>(flight: Promise<Landed<T>>, end: () => void): Promise<Landed<T>> {
  let kept: Promise<void> | null = null;
  try {
    const { result, ...landing } = await flight;
    kept = landing.kept?.then(end) ?? null;
    return { result, kept };
  } finally {
    if (kept === null) end();
  }
}

/** A request with the key it is stored under and what it may reuse. */
interface WantedProbe {
  readonly request: ProbeRequest;
  readonly key: ProbeKey;
  readonly spelling: string;
  readonly budget: Counter | null;
  readonly stored: Promise<StoredProbe | null> | undefined;
  accepts(probe: StoredProbe): boolean;
}

function wantedProbe(
  request: ProbeRequest,
  { isUsable = () => true, budget = null, stored }: ProbeOptions,
  parts: ProbeOnceParts,
): WantedProbe {
  const spelling = parts.keyOf(request.target.href);
  return {
    request,
    key: keyFor(request, parts),
    spelling,
    budget,
    stored,
    // Servers may treat '/x//' and '/x' differently, so a failure under one spelling says nothing about another: nobody
    // can make a seller look dead by asking for it oddly (gap L13).
    accepts: (probe) =>
      probe.probedAt >= reusableSince(parts) &&
      isUsable(probe) &&
      (probe.spelling === spelling || isReadable(probe.observation)),
  };
}

function keyFor({ target, method, body }: ProbeRequest, { keyOf }: Pick<ProbeOnceParts, 'keyOf'>): ProbeKey {
  return { urlKey: keyOf(body === undefined ? target.normalized : `${target.normalized}\n${body}`), method };
}

function isReadable(observation: Observation): boolean {
  return observation.kind === 'answered' && observation.challenge.kind === 'readable';
}

async function reuseOrProbe(wanted: WantedProbe, parts: ProbeOnceParts): Promise<Landed<ProbeOnceResult>> {
  const look = () => reuse(wanted, findStored(wanted.key, parts));
  const found = await (wanted.stored === undefined ? look() : reuse(wanted, wanted.stored));
  if (found !== null) return landed(found);
  const release = parts.slots.take(placeOf(wanted.request));
  if (release === null) return landed(targetBusy(parts));
  const probe = (mayBegin: () => boolean) => probeWithinBudget(wanted, { look, mayBegin }, parts);
  try {
    return await atTarget<ProbeOnceResult>(namesOf(wanted, parts), { look, probe }, parts);
  } finally {
    release();
  }
}

async function reuse(
  { accepts }: WantedProbe,
  found: Promise<StoredProbe | null>,
): Promise<ProbeOnceResult | null> {
  const stored = await found;
  return stored !== null && accepts(stored) ? { kind: 'probe', ...stored, cached: true } : null;
}

function findStored(
  key: ProbeKey,
  parts: Pick<ProbeOnceParts, 'cache' | 'now'>,
): Promise<StoredProbe | null> {
  return parts.cache.find(key, reusableSince(parts));
}

function reusableSince({ now }: Pick<ProbeOnceParts, 'now'>): Date {
  return new Date(now().getTime() - PROBE_REUSE_SECONDS * 1_000);
}

function placeOf({ target: { host, port } }: ProbeRequest): string {
  return `${host}:${port}`;
}

function namesOf({ request, key }: WantedProbe, { keyOf }: ProbeOnceParts) {
  const { host } = request.target;
  return {
    host,
    hostKey: keyOf(host),
    placeKey: keyOf(placeOf(request)),
    flightKey: `${key.method} ${key.urlKey}`,
  };
}

async function probeWithinBudget(
  wanted: WantedProbe,
  {
    look,
    mayBegin,
  }: { readonly look: () => Promise<ProbeOnceResult | null>; readonly mayBegin: () => boolean },
  parts: ProbeOnceParts,
): Promise<Landed<ProbeOnceResult>> {
  const { request, key, spelling } = wanted;
  const budgets = budgetsOf(wanted, parts);
  // There is hardly ever something to find, so it is counted meanwhile.
  const [found, { granted, used }] = await Promise.all([look(), parts.counters.reserve(budgets)]);
  if (found !== null) {
    if (granted) Promise.all(budgets.map((each) => parts.counters.giveBack(each))).catch(parts.onLateFault);
    return landed(found);
  }
  if (!granted) return landed(overBudget(wanted, used, parts));
  if (!mayBegin()) return landed(targetBusy(parts));
  const observation = observe(await parts.prober.probe(request));
  // The moment of the answer: a seller's time limit begins when it asks, not when we began to look.
  const probe = { observation, probedAt: parts.now(), spelling };
  const kept = parts.cache.keep(key, probe).catch(parts.onLateFault);
  return { result: { kind: 'probe', ...probe, cached: false }, kept };
}

/** The target's minute and the caller's hour: a probe raises both or neither. */
function budgetsOf(
  { request, budget }: WantedProbe,
  { keyOf, probesPerHostMinute, now }: ProbeOnceParts,
): readonly Counter[] {
  const key = `probes:${keyOf(placeOf(request))}`;
  const target = { key, window: utcMinute(now()), limit: probesPerHostMinute };
  return budget === null ? [target] : [target, budget];
}

function overBudget(
  { budget }: WantedProbe,
  used: readonly number[],
  { now, onRefused }: ProbeOnceParts,
): RateLimited {
  const byTarget = budget === null || (used[1] ?? 0) < budget.limit;
  onRefused?.(byTarget ? 'target_budget' : 'caller_budget');
  return byTarget
    ? { kind: 'rate_limited', retryAfterSeconds: secondsToNextUtcMinute(now()), by: 'target' }
    : { kind: 'rate_limited', retryAfterSeconds: secondsToNextUtcHour(now()), by: 'caller' };
}
