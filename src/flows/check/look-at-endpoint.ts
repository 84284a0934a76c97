import type { Counter } from '../../core/access/quota.ts';
import { secondsToNextUtcHour } from '../../core/access/utc-window.ts';
import type { ListedInput } from '../../core/input/listed-input.ts';
import { firstRequest, type PlannedRequest, secondRequest } from '../../core/input/probe-plan.ts';
import { blockRule, type GatePolicy } from '../../core/url/gate.ts';
import type { Views } from '../../core/vantage/view.ts';
import { expectationFor } from '../../core/verdict/expectation.ts';
import type { Expected, Listing } from '../../core/verdict/expected-terms.ts';
import { judge } from '../../core/verdict/judge.ts';
import { judgeViews } from '../../core/verdict/judge-views.ts';
import type { Observation, ObservedAnswer } from '../../core/verdict/observation.ts';
import type { ProbeMethod } from '../../core/verdict/probe-outcome.ts';
import type { Verdict } from '../../core/verdict/verdict.ts';
import { leavesTimeToPay } from '../../core/x402/deadline.ts';
import type { Offer } from '../../core/x402/offer.ts';
import type { CheckEnd } from '../../ports/check-writes.ts';
import type { Clock } from '../../ports/clock.ts';
import type { StoredProbe } from '../../ports/probe-cache.ts';
import type { Vantages } from '../../ports/vantages.ts';
import type { CheckRequest } from './check-request.ts';
import { areTooFew, needsOthers, othersFor, viewsFor } from './other-views.ts';
import { hasReadableChallenge, type ProbeOnce } from './probe-once.ts';
import { callerInput, type Known, type KnownPorts } from './read-known.ts';
import type { RefusalParts } from './refused.ts';

/** The judged result of one unpaid probe. */
export interface Look {
  readonly kind: 'looked';
  readonly verdict: Verdict;
  /** The offer that the verdict is about. */
  readonly offer: Offer | null;
  readonly listing: Listing | null;
  readonly expected: Expected;
  readonly observation: Observation;
  readonly probe: { readonly probedAt: Date; readonly cached: boolean };
  /** What others saw; absent where nobody was asked. */
  readonly views?: Views;
  readonly listedInput?: ListedInput;
  /** The method that the listing names. */
  readonly listedMethod?: ProbeMethod;
}

/** The URL, or an address that its name resolves to, is not fetched (gap G46). */
export interface Blocked {
  readonly kind: 'blocked';
}

/** Nothing was fetched, counted or stored. */
export type LookRefusal =
  | Blocked
  | { readonly kind: 'rate_limited'; readonly retryAfterSeconds: number; readonly by: 'target' | 'quotes' };

export interface LookPorts extends KnownPorts, RefusalParts {
  readonly probeOnce: ProbeOnce;
  readonly policy: GatePolicy;
  readonly clock: Pick<Clock, 'now'>;
  /** Absent where nobody else is asked. */
  readonly vantages?: Vantages | undefined;
}

/** True for a URL that is refused before any name is resolved. */
export function isBlocked(
  { target }: CheckRequest,
  { policy, onRefused }: Pick<LookPorts, 'policy' | 'onRefused'>,
): boolean {
  const rule = blockRule(target, policy);
  if (rule !== null) onRefused?.(`url_${rule}`);
  return rule !== null;
}

/** Reuses the stored probe, or probes. Keeps no receipt; `budget` is raised for a new probe (gap G31). */
export async function lookAtEndpoint(
  request: CheckRequest,
  known: Known,
  ports: LookPorts,
  budget: readonly Counter[] = [],
): Promise<Look | LookRefusal> {
  const stored = lookAtStored(request, known, ports);
  if (stored !== null) return stored;
  const conclude = (look: Look | Blocked) => ({ kept: null, givenBack: [], look });
  const result = await probeEndpoint(request, known, { counters: budget, refunds: [], conclude }, ports);
  switch (result.kind) {
    case 'probed':
      return result.end.look;
    case 'reused':
      return result.look;
    case 'rate_limited':
      return result;
    case 'exhausted':
      ports.onRefused?.('caller_budget');
      return {
        kind: 'rate_limited',
        retryAfterSeconds: secondsToNextUtcHour(ports.clock.now()),
        by: 'quotes',
      };
  }
}

/** The stored probe, judged; null when it cannot be reused. Writes nothing. */
export function lookAtStored(request: CheckRequest, known: Known, ports: LookPorts): Look | Blocked | null {
  const { stored } = known;
  if (stored === null || !isUsable(stored, request, known, ports)) return null;
  // A failure under another spelling of the URL says nothing about this one (gap L13).
  const sameSpelling = stored.spelling === ports.keyOf(request.target.href);
  if (!sameSpelling && !hasReadableChallenge(stored.observation)) return null;
  return judged({ cached: true, ...stored }, request, known, ports);
}

/** How a new probe is counted, and what is kept with it. */
export interface ProbeTerms<End extends CheckEnd> {
  readonly counters: readonly Counter[];
  readonly refunds: readonly Counter[];
  readonly conclude: (look: Look | Blocked) => End;
  /** No probe of another caller will do. */
  readonly isFresh?: boolean;
}

export type EndpointProbe<End> =
  /** Another caller's probe, judged for this one, or none where the name is blocked; nothing was counted or kept. */
  | { readonly kind: 'reused'; readonly look: Look | Blocked }
  | { readonly kind: 'probed'; readonly end: End; readonly used: readonly number[] }
  | { readonly kind: 'exhausted'; readonly used: readonly number[] }
  | { readonly kind: 'rate_limited'; readonly retryAfterSeconds: number; readonly by: 'target' };

export async function probeEndpoint<End extends CheckEnd>(
  request: CheckRequest,
  known: Known,
  { counters, refunds, conclude, isFresh = false }: ProbeTerms<End>,
  ports: LookPorts,
): Promise<EndpointProbe<End>> {
  const { target, method, mode, askedBy } = request;
  const body = callerInput(request, known.listed);
  const result = await ports.probeOnce(body === null ? { target, method } : { target, method, body }, {
    second: (answer) => secondProbe(request, answer, known),
    asker: { by: askedBy ?? null, mayUseReserve: mode === 'live' },
    counters,
    refunds,
    stored: known.stored,
    isUsable: (probe) => !isFresh && isUsable(probe, request, known, ports),
    ...othersFor(request, known, ports),
    conclude: (probe) => conclude(judged({ cached: false, ...probe }, request, known, ports)),
  });
  if (result.kind === 'reused') {
    return { kind: 'reused', look: judged({ cached: true, ...result.probe }, request, known, ports) };
  }
  if (result.kind === 'blocked') {
    ports.onRefused?.('url_resolved');
    return { kind: 'reused', look: { kind: 'blocked' } };
  }
  if (result.kind === 'share_used' || result.kind === 'rate_limited') {
    const { retryAfterSeconds } = result;
    return { kind: 'rate_limited', retryAfterSeconds, by: 'target' };
  }
  return result;
}

/** Only to a listed URL, and with the method that the caller named. */
function secondProbe(
  request: CheckRequest,
  answer: ObservedAnswer,
  { listed }: Known,
): PlannedRequest | null {
  const first = firstRequest({ ...request, input: null });
  if (listed === null || first.kind !== 'request') return null;
  return secondRequest(first, answer, {
    caller: callerInput(request, listed),
    listed: listed.input,
    mayChangeMethod: false,
  });
}

/** Terms that nobody has the time to sign help nobody (gaps G39 and G103), nor do those that others should have seen. */
function isUsable(
  probe: Pick<StoredProbe, 'observation' | 'probedAt' | 'views'>,
  request: CheckRequest,
  { claims }: Known,
  ports: LookPorts,
): boolean {
  const { observation, probedAt, views } = probe;
  const { expected } = expectationFor(claims, observation);
  const { verdict } = judge(observation, expected, probedAt);
  if (needsOthers(verdict, request, ports) && areTooFew(views, ports)) return false;
  return isStillPayable({ verdict, probe: { probedAt } }, ports);
}

/** True for every verdict but a `pay` whose time is nearly over. */
export function isStillPayable(
  { verdict, probe }: { readonly verdict: Verdict; readonly probe: { readonly probedAt: Date } },
  { clock }: Pick<LookPorts, 'clock'>,
): boolean {
  return verdict.verdict !== 'pay' || leavesTimeToPay(verdict.terms.deadline, probe.probedAt, clock.now());
}

function judged(
  probe: Pick<StoredProbe, 'observation' | 'probedAt' | 'views'> & { readonly cached: boolean },
  request: CheckRequest,
  { claims, listed }: Known,
  ports: LookPorts,
): Look | Blocked {
  const { observation, probedAt, cached } = probe;
  if (observation.kind === 'blocked') {
    ports.onRefused?.('url_resolved');
    return { kind: 'blocked' };
  }
  const { expected, listing } = expectationFor(claims, observation);
  const asked = { method: request.method, listedMethod: listed?.method ?? null, takesPath: false };
  const own = judgeViews(observation, null, asked, expected, probedAt);
  const views = viewsFor(own.verdict, probe.views, request, ports);
  const { verdict, offer } = views === null ? own : judgeViews(observation, views, asked, expected, probedAt);
  const input = listed?.input ?? null;
  return {
    kind: 'looked',
    verdict,
    offer,
    listing,
    expected,
    observation,
    probe: { probedAt, cached },
    ...(views === null ? {} : { views }),
    ...(input === null ? {} : { listedInput: input }),
    ...(listed === null ? {} : { listedMethod: listed.method }),
  };
}
