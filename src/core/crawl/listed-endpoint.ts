import type { ListedInput } from '../input/listed-input.ts';
import type { NonEmpty } from '../non-empty.ts';
import { pathOf, type TargetUrl } from '../url/target-url.ts';
import type { Claim, Listing } from '../verdict/expected-terms.ts';
import type { ProbeMethod } from '../verdict/probe-outcome.ts';

/** One URL of the discovery lists, with what the winning list claims about it. */
export interface ListedEndpoint {
  readonly target: TargetUrl;
  readonly method: ProbeMethod;
  /** Other rows of the lists say so; absent when there are none (gap G99). */
  readonly otherMethod?: ProbeMethod;
  /** The plainest spellings of its path in the lists, two at most; absent when all rows spell it alike (gap G99). */
  readonly spellings?: readonly TargetUrl[];
  readonly claim: Claim;
  /** What other rows of the lists claim instead; absent when there are none (gap G99). */
  readonly otherClaims?: readonly Listing[];
  /** What it says about the request that the endpoint wants; used only when the bare URL was not enough (gap G100). */
  readonly input: ListedInput | null;
  /** The name in the list, sanitized and shortened. Still untrusted: escape it wherever it is shown. */
  readonly service?: string;
  /** When the list last changed the entry, in milliseconds UTC. */
  readonly updatedMs?: number;
  /** The list whose claim counts. */
  readonly list: string;
  /** Every list the URL is on, the winner first. */
  readonly listedIn: readonly string[];
}

/** What the lists claim about an endpoint, the winner first. */
export function listingsOf({ claim, list, otherClaims = [] }: ListedEndpoint): NonEmpty<Listing> {
  return [{ ...claim, sourceList: list }, ...otherClaims];
}

/** How else the URL is listed: servers may know '/x/' and not '/x'. */
export function otherSpelling({ target, spellings = [] }: ListedEndpoint): TargetUrl | null {
  return spellings.find((spelling) => pathOf(spelling) !== pathOf(target)) ?? null;
}
