import type { Counter } from '../../core/access/quota.ts';
import { secondsToNextUtcHour } from '../../core/access/utc-window.ts';
import { blockRule, type GatePolicy } from '../../core/url/gate.ts';
import type { TargetUrl } from '../../core/url/target-url.ts';
import { type Claims, expectationFor } from '../../core/verdict/expectation.ts';
import type { Claim, Expected, Listing } from '../../core/verdict/expected-terms.ts';
import { judge } from '../../core/verdict/judge.ts';
import type { Observation } from '../../core/verdict/observation.ts';
import type { ProbeMethod } from '../../core/verdict/probe-outcome.ts';
import type { Verdict } from '../../core/verdict/verdict.ts';
import { leavesTimeToPay } from '../../core/x402/deadline.ts';
import type { Offer } from '../../core/x402/offer.ts';
import type { CheckEnd } from '../../ports/check-writes.ts';
import type { Clock } from '../../ports/clock.ts';
import type { PublishedRuns } from '../../ports/crawl-runs.ts';
import type { StoredProbe } from '../../ports/probe-cache.ts';
import { type FindProbe, hasReadableChallenge, type ProbeOnce } from './probe-once.ts';
import type { RefusalParts } from './refused.ts';

export interface CheckRequest {
  readonly target: TargetUrl;
  readonly method: ProbeMethod;
  readonly mode: 'live' | 'dry-run';
  readonly claim: Claim;
  readonly ref: string | null;
  readonly task: string | null;
  readonly selfTest: boolean;
  /** A keyed hash of the caller's network prefix; absent for the operator and on the command line. */
  readonly askedBy?: string;
}

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
}

/** The URL, or an address that its name resolves to, is not fetched (gap G46). */
export interface Blocked {
  readonly kind: 'blocked';
}

/** Nothing was fetched, counted or stored. */
export type LookRefusal =
  | Blocked
  | { readonly kind: 'rate_limited'; readonly retryAfterSeconds: number; readonly by: 'target' | 'quotes' };

export interface LookPorts extends RefusalParts {
  readonly probeOnce: ProbeOnce;
  readonly findProbe: FindProbe;
  readonly runs: Pick<PublishedRuns, 'inLatestRun'>;
  /** The catalog's own claims about a normalised URL: the second source of a listing (gap G99). */
  readonly catalogListings: (normalizedUrl: string) => Promise<readonly Listing[]>;
  readonly policy: GatePolicy;
  readonly keyOf: (text: string) => string;
  readonly clock: Pick<Clock, 'now'>;
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

/** What the store knows about an endpoint. */
export interface Known {
  readonly claims: Claims;
  readonly stored: StoredProbe | null;
}

/** Reads only. */
export async function readKnown(
  { target, method, claim }: CheckRequest,
  ports: Pick<LookPorts, 'runs' | 'catalogListings' | 'keyOf' | 'findProbe'>,
): Promise<Known> {
  const [listed, catalog, stored] = await Promise.all([
    listingsOf(target, ports),
    ports.catalogListings(target.normalized),
    ports.findProbe({ target, method }),
  ]);
  return { claims: { request: claim, listed, catalog }, stored };
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
export function lookAtStored(
  { target }: CheckRequest,
  known: Known,
  ports: LookPorts,
): Look | Blocked | null {
  const { stored } = known;
  if (stored === null || !isPayable(stored, known, ports)) return null;
  // A failure under another spelling of the URL says nothing about this one (gap L13).
  const sameSpelling = stored.spelling === ports.keyOf(target.href);
  if (!sameSpelling && !hasReadableChallenge(stored.observation)) return null;
  return judged({ ...stored, cached: true }, known, ports);
}

/** How a new probe is counted, and what is kept with it. */
export interface ProbeTerms<End extends CheckEnd> {
  readonly counters: readonly Counter[];
  readonly refunds: readonly Counter[];
  readonly conclude: (look: Look | Blocked) => End;
}

export type EndpointProbe<End> =
  /** Another caller's probe, judged for this one; nothing was counted or kept. */
  | { readonly kind: 'reused'; readonly look: Look | Blocked }
  | { readonly kind: 'probed'; readonly end: End; readonly used: readonly number[] }
  | { readonly kind: 'exhausted'; readonly used: readonly number[] }
  | { readonly kind: 'rate_limited'; readonly retryAfterSeconds: number; readonly by: 'target' };

export async function probeEndpoint<End extends CheckEnd>(
  { target, method, mode, askedBy }: CheckRequest,
  known: Known,
  { counters, refunds, conclude }: ProbeTerms<End>,
  ports: LookPorts,
): Promise<EndpointProbe<End>> {
  const result = await ports.probeOnce(
    { target, method },
    {
      asker: { by: askedBy ?? null, mayUseReserve: mode === 'live' },
      counters,
      refunds,
      stored: known.stored,
      isUsable: (probe) => isPayable(probe, known, ports),
      conclude: (probe) => conclude(judged({ ...probe, cached: false }, known, ports)),
    },
  );
  if (result.kind === 'reused') {
    return { kind: 'reused', look: judged({ ...result.probe, cached: true }, known, ports) };
  }
  if (result.kind === 'share_used' || result.kind === 'rate_limited') {
    const { retryAfterSeconds } = result;
    return { kind: 'rate_limited', retryAfterSeconds, by: 'target' };
  }
  return result;
}

/** Terms that nobody has the time to sign help nobody (gaps G39 and G103). */
function isPayable(
  { observation, probedAt }: Pick<StoredProbe, 'observation' | 'probedAt'>,
  { claims }: Known,
  ports: LookPorts,
): boolean {
  const { expected } = expectationFor(claims, observation);
  return isStillPayable(
    { verdict: judge(observation, expected, probedAt).verdict, probe: { probedAt } },
    ports,
  );
}

/** True for every verdict but a `pay` whose time is nearly over. */
export function isStillPayable(
  { verdict, probe }: { readonly verdict: Verdict; readonly probe: { readonly probedAt: Date } },
  { clock }: Pick<LookPorts, 'clock'>,
): boolean {
  return verdict.verdict !== 'pay' || leavesTimeToPay(verdict.terms.deadline, probe.probedAt, clock.now());
}

function judged(
  {
    observation,
    probedAt,
    cached,
  }: Pick<StoredProbe, 'observation' | 'probedAt'> & { readonly cached: boolean },
  { claims }: Known,
  { onRefused }: LookPorts,
): Look | Blocked {
  if (observation.kind === 'blocked') {
    onRefused?.('url_resolved');
    return { kind: 'blocked' };
  }
  const { expected, listing } = expectationFor(claims, observation);
  const { verdict, offer } = judge(observation, expected, probedAt);
  return { kind: 'looked', verdict, offer, listing, expected, observation, probe: { probedAt, cached } };
}

async function listingsOf(
  { normalized }: TargetUrl,
  { runs, keyOf }: Pick<LookPorts, 'runs' | 'keyOf'>,
): Promise<readonly Listing[]> {
  const receipt = await runs.inLatestRun(keyOf(normalized));
  if (receipt === null) return [];
  const { claimedPrice: price, listedPayTo: payTo, listedNetwork: network, sourceList } = receipt;
  return receipt.listings ?? [{ price, payTo, network, sourceList }];
}
