import type { Counter } from '../../core/access/quota.ts';
import { secondsToNextUtcMinute } from '../../core/access/utc-window.ts';
import type { PlannedRequest } from '../../core/input/probe-plan.ts';
import { isDatedAhead } from '../../core/is-dated-ahead.ts';
import { CRAWL_TIMEOUT_MS, PROBE_REUSE_SECONDS, VANTAGE_TIMEOUT_MS } from '../../core/limits.ts';
import type { Observation, ObservedAnswer } from '../../core/verdict/observation.ts';
import type { CheckEnd, CheckWrites, ProbeStart } from '../../ports/check-writes.ts';
import type { ProbeCache, ProbeKey, StoredProbe } from '../../ports/probe-cache.ts';
import type { LocatingProber, Place, ProbeRequest } from '../../ports/prober.ts';
import { type Answered, type AskPorts, askTwice } from './ask-twice.ts';
import { inOwnSlots, type OwnSlotPorts } from './own-slots.ts';
import { type PlaceStartPorts, startAt } from './place-start.ts';
import { refusableFlight } from './refusable-flight.ts';
import { LEASE_MS, type StartPorts, startProbe, type TargetBusy, targetBusy } from './start-probe.ts';
import type { Asker, TargetBudget } from './target-budget.ts';

export interface ProbeOncePorts extends StartPorts, PlaceStartPorts, AskPorts, OwnSlotPorts {
  readonly prober: LocatingProber;
  readonly cache: ProbeCache;
  readonly checks: CheckWrites;
}

/** `End` is what the caller concludes from a new probe. */
export interface ProbeOptions<End extends CheckEnd> {
  /** The probe that the caller found in the cache and cannot use. */
  readonly stored: StoredProbe | null;
  /** Refuses a probe of another caller, such as one whose terms can no longer be signed. */
  readonly isUsable: (probe: StoredProbe) => boolean;
  readonly asker: Asker;
  /** Raised when a new probe starts, all of them or none. */
  readonly counters: readonly Counter[];
  /** Of these, the ones that are lowered again when our own part fails (gap G06). */
  readonly refunds: readonly Counter[];
  /** One more request after this answer, with input; null for none. */
  readonly second?: (answer: ObservedAnswer) => PlannedRequest | null;
  /** Whether an approval of this answer needs others; absent where no answer can. */
  readonly needsOthers?: (answer: Answered) => boolean;
  /** What is written with a new probe, in one commit. */
  readonly conclude: (probe: StoredProbe) => End;
}

export type ProbeOnceResult<End> =
  /** The probe of another caller; nothing was counted or written. */
  | { readonly kind: 'reused'; readonly probe: StoredProbe }
  /** `used` is in the order of the caller's counters. */
  | { readonly kind: 'probed'; readonly end: End; readonly used: readonly number[] }
  /** Its name leads where nothing may be sent. Nothing was sent, counted or written (gap G31). */
  | { readonly kind: 'blocked' }
  /** One of the caller's counters is at its limit. Nothing was sent. */
  | { readonly kind: 'exhausted'; readonly used: readonly number[] }
  /** The caller has had its part of the target's minute; others may still ask (gap G101). Nothing was sent. */
  | { readonly kind: 'share_used'; readonly retryAfterSeconds: number }
  /** The target's own bounds, for all callers together (gap G38). Nothing was sent. */
  | TargetBusy;

export type FindProbe = (request: ProbeRequest) => Promise<StoredProbe | null>;

export function createFindProbe({
  cache,
  now,
  keyOf,
}: Pick<ProbeOncePorts, 'cache' | 'now' | 'keyOf'>): FindProbe {
  return async (request) => {
    const found = await cache.find(keyFor(request, keyOf), reusableSince(now()));
    return found !== null && isReusable(found, now()) ? found : null;
  };
}

export type ProbeOnce = <End extends CheckEnd>(
  request: ProbeRequest,
  options: ProbeOptions<End>,
) => Promise<ProbeOnceResult<End>>;

/** One request per normalised URL and method in five minutes, for all callers (gaps G38 and G39). */
export function createProbeOnce(ports: ProbeOncePorts): ProbeOnce {
  const joinOrStart = refusableFlight<StoredProbe, TargetBusy>();
  return <End extends CheckEnd>(request: ProbeRequest, options: ProbeOptions<End>) => {
    const key = keyFor(request, ports.keyOf);
    const wanted = { request, key, spelling: ports.keyOf(request.target.href), ...options };
    return joinOrStart<ProbeOnceResult<End>>(`${key.method} ${key.urlKey}`, {
      join: (probe) => (accepts(wanted, probe, ports) ? { kind: 'reused', probe } : null),
      start: (onFound) =>
        inOwnSlots(request.target, options.asker, (place) => probeAt(place, wanted, onFound, ports), ports),
      share: (result) => (result.kind === 'rate_limited' ? result : null),
      tooMany: () => targetBusy(ports),
    });
  };
}

interface WantedProbe<End extends CheckEnd> extends ProbeOptions<End> {
  readonly request: ProbeRequest;
  readonly key: ProbeKey;
  readonly spelling: string;
}

/** A probe whose place is known, with everything it takes. */
interface PlacedProbe<End extends CheckEnd> extends WantedProbe<End> {
  readonly place: Place;
  readonly budget: TargetBudget;
  readonly start: ProbeStart;
}

function placed<End extends CheckEnd>(
  wanted: WantedProbe<End>,
  place: Place,
  ports: ProbeOncePorts,
): PlacedProbe<End> {
  const { key, counters, asker, request } = wanted;
  const newerThan = wanted.stored?.probedAt ?? reusableSince(ports.now());
  return {
    place,
    ...startAt(place, { target: request.target, key, newerThan, counters, asker }, ports),
    ...wanted,
  };
}

function keyFor({ target, method, body }: ProbeRequest, keyOf: ProbeOncePorts['keyOf']): ProbeKey {
  return { urlKey: keyOf(body === undefined ? target.normalized : `${target.normalized}\n${body}`), method };
}

function reusableSince(now: Date): Date {
  return new Date(now.getTime() - PROBE_REUSE_SECONDS * 1_000);
}

/** Not one of a wrong clock: it would be the answer, and could be paid for, until its date has come (gap L76). */
function isReusable({ probedAt }: StoredProbe, now: Date): boolean {
  return probedAt >= reusableSince(now) && !isDatedAhead(probedAt.getTime(), now);
}

/**
 * Servers may treat '/x//' and '/x' differently, so a failure under one spelling says nothing about another: nobody can make a
 * seller look dead by asking for it oddly (gap L13).
 */
function accepts(
  { isUsable, spelling }: WantedProbe<CheckEnd>,
  probe: StoredProbe,
  { now }: ProbeOncePorts,
): boolean {
  if (!isReusable(probe, now()) || !isUsable(probe)) return false;
  return probe.spelling === spelling || hasReadableChallenge(probe.observation);
}

export function hasReadableChallenge(observation: Observation): boolean {
  return observation.kind === 'answered' && observation.challenge.kind === 'readable';
}

/** A probe begins only when the lease of its slot outlives it, also where others are asked. */
const LATEST_BEGIN_MS = LEASE_MS - VANTAGE_TIMEOUT_MS - 1_000;

/** A second request is answered before others are asked about it. */
const LATEST_AGAIN_MS = LATEST_BEGIN_MS - CRAWL_TIMEOUT_MS;

async function probeAt<End extends CheckEnd>(
  place: Place,
  unplaced: WantedProbe<End>,
  onFound: (probe: StoredProbe) => void,
  ports: ProbeOncePorts,
): Promise<ProbeOnceResult<End>> {
  if (place.kind === 'nowhere' && place.outcome.kind === 'blocked') return { kind: 'blocked' };
  const wanted = placed(unplaced, place, ports);
  const find = async () => {
    const found = await ports.cache.find(wanted.start.key, wanted.start.newerThan);
    return found !== null && accepts(wanted, found, ports) ? found : null;
  };
  const started = await startProbe(wanted.start, find, ports);
  switch (started.kind) {
    case 'rate_limited':
      return started;
    case 'found':
      onFound(started.probe);
      return { kind: 'reused', probe: started.probe };
    case 'exhausted':
      return exhausted(wanted, started.used, ports);
    case 'started': {
      if (ports.stopwatch() - started.at > LATEST_BEGIN_MS) {
        await ports.checks.abandon(wanted.start, wanted.start.counters);
        return targetBusy(ports);
      }
      const mayAskAgain = () => ports.stopwatch() - started.at <= LATEST_AGAIN_MS;
      const end = await probeAndKeep({ mayAskAgain, ...wanted }, onFound, ports);
      return { kind: 'probed', end, used: started.used.slice(0, wanted.counters.length) };
    }
  }
}

async function probeAndKeep<End extends CheckEnd>(
  wanted: PlacedProbe<End> & { readonly mayAskAgain: () => boolean },
  onFound: (probe: StoredProbe) => void,
  ports: ProbeOncePorts,
): Promise<End> {
  const { start, spelling, refunds, conclude } = wanted;
  const { checks } = ports;
  try {
    const probe = { spelling, ...(await askTwice(wanted, ports)) };
    onFound(probe);
    const end = conclude(probe);
    await checks.finish(start, probe, end);
    return end;
  } catch (fault) {
    // The request may have been sent, so the target's minute stays counted. The first fault matters more than one of these.
    await checks.abandon(start, refunds).catch(() => {});
    throw fault;
  }
}

/** The caller's own counters come first, then those of the target. */
function exhausted(
  { counters, budget }: PlacedProbe<CheckEnd>,
  used: readonly number[],
  { now, onRefused }: ProbeOncePorts,
): ProbeOnceResult<never> {
  const isCallers = counters.some(({ limit }, index) => (used[index] ?? 0) >= limit);
  if (isCallers) return { kind: 'exhausted', used: used.slice(0, counters.length) };
  const retryAfterSeconds = secondsToNextUtcMinute(now());
  const isOver = budget.isOverForAll(used.slice(counters.length));
  onRefused?.(isOver ? 'target_budget' : 'caller_share');
  return { kind: isOver ? 'rate_limited' : 'share_used', retryAfterSeconds };
}
