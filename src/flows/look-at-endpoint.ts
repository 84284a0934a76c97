import type { Counter } from '../core/access/quota.ts';
import { blockRule, type GatePolicy } from '../core/url/gate.ts';
import type { TargetUrl } from '../core/url/target-url.ts';
import { type Claim, type Expected, expectedTerms, type Listing } from '../core/verdict/expected-terms.ts';
import { judge } from '../core/verdict/judge.ts';
import type { Observation } from '../core/verdict/observation.ts';
import type { ProbeMethod } from '../core/verdict/probe-outcome.ts';
import type { Verdict } from '../core/verdict/verdict.ts';
import type { Offer } from '../core/x402/offer.ts';
import type { PublishedRuns } from '../ports/crawl-runs.ts';
import type { StoredProbe } from '../ports/probe-cache.ts';
import type { RefusalParts } from './check/refused.ts';
import type { FindProbe, ProbeOnce } from './probe-once.ts';

export interface CheckRequest {
  readonly target: TargetUrl;
  readonly method: ProbeMethod;
  readonly mode: 'live' | 'dry-run';
  readonly claim: Claim;
  readonly ref: string | null;
  readonly task: string | null;
  readonly selfTest: boolean;
}

/** What one unpaid look brought, judged. */
export interface Look {
  readonly kind: 'looked';
  readonly verdict: Verdict;
  /** The offer that the verdict speaks of. */
  readonly offer: Offer | null;
  readonly listing: Listing | null;
  readonly expected: Expected;
  readonly observation: Observation;
  readonly probe: { readonly probedAt: Date; readonly cached: boolean };
}

export type LookResult =
  | Look
  /** The URL, or an address that its name resolves to, is not fetched (gap G46). */
  | { readonly kind: 'blocked' }
  | { readonly kind: 'rate_limited'; readonly retryAfterSeconds: number; readonly by: 'target' | 'caller' };

export interface LookParts extends RefusalParts {
  readonly probeOnce: ProbeOnce;
  readonly findProbe: FindProbe;
  readonly runs: Pick<PublishedRuns, 'inLatestRun'>;
  readonly policy: GatePolicy;
  readonly keyOf: (text: string) => string;
  readonly now: () => Date;
}

/** True for a URL that is refused before any name is resolved. */
export function isBlocked(
  { target }: CheckRequest,
  { policy, onRefused }: Pick<LookParts, 'policy' | 'onRefused'>,
): boolean {
  const rule = blockRule(target, policy);
  if (rule !== null) onRefused?.(`url_${rule}`);
  return rule !== null;
}

export interface LookOptions {
  /** Raised for a new probe that nobody has a free use for (gap G31). */
  readonly budget?: Counter | null;
  /** Where it was asked for before. */
  readonly known?: Known;
}

/** What the store knows about an endpoint. */
export interface Known {
  readonly listing: Promise<Listing | null>;
  readonly probe: Promise<StoredProbe | null>;
}

/** One look at an endpoint: listing, probe or reuse, verdict. The same for every tier. */
export async function lookAtEndpoint(
  request: CheckRequest,
  parts: LookParts,
  { budget = null, known = findKnown(request, parts) }: LookOptions = {},
): Promise<LookResult> {
  const { target, method, claim } = request;
  const listing = await known.listing;
  const expected = expectedTerms(claim, listing);
  const result = await parts.probeOnce(
    { target, method },
    {
      budget,
      stored: known.probe,
      // Terms that nobody can sign any more help nobody (gap G39).
      isUsable: ({ observation, probedAt }) => {
        const { verdict } = judge(observation, expected, probedAt);
        return verdict.verdict !== 'pay' || verdict.terms.deadline > parts.now();
      },
    },
  );
  if (result.kind === 'rate_limited') return result;
  const { observation, probedAt, cached } = result;
  if (observation.kind === 'blocked') {
    parts.onRefused?.('url_resolved');
    return { kind: 'blocked' };
  }
  const { verdict, offer } = judge(observation, expected, probedAt);
  return { kind: 'looked', verdict, offer, listing, expected, observation, probe: { probedAt, cached } };
}

/** Only reads: whoever has to wait for something else first may ask for it meanwhile. */
export function findKnown(
  { target, method }: CheckRequest,
  parts: Pick<LookParts, 'runs' | 'keyOf' | 'findProbe'>,
): Known {
  const known = { listing: listingOf(target, parts), probe: parts.findProbe({ target, method }) };
  // Nobody may be there to hear of a fault: whoever still wants to know waits for it then, and hears.
  for (const asked of Object.values(known)) asked.catch(() => {});
  return known;
}

async function listingOf(
  { normalized }: TargetUrl,
  { runs, keyOf }: Pick<LookParts, 'runs' | 'keyOf'>,
): Promise<Listing | null> {
  const receipt = await runs.inLatestRun(keyOf(normalized));
  if (receipt === null) return null;
  const { claimedPrice: price, listedPayTo: payTo, listedNetwork: network, sourceList } = receipt;
  return { price, payTo, network, sourceList };
}
