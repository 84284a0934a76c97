import type { ListedInput } from '../input/listed-input.ts';
import { order } from '../order.ts';
import { pathOf, type TargetUrl } from '../url/target-url.ts';
import { CLAIMS_MAX } from '../verdict/counted-listing.ts';
import type { Claim, Listing } from '../verdict/expected-terms.ts';
import type { ProbeMethod } from '../verdict/probe-outcome.ts';
import { type ListedEndpoint, listingsOf } from './listed-endpoint.ts';

/** The rank of a list: of several lists with a URL, the lowest rank wins. */
export type ListRank = (list: string) => number;

/** By the order of the configuration; lists that are not in it come last, all equal. */
export function rankLists(order: readonly string[]): ListRank {
  const ranks = new Map(order.map((list, rank) => [list, rank]));
  return (list) => ranks.get(list) ?? order.length;
}

/** Merges two rows with the same normalised URL, with all lists and claims of both. The order of the rows does not matter. */
export function mergeListed(left: ListedEndpoint, right: ListedEndpoint, rank: ListRank): ListedEndpoint {
  const winner = beats(left, right, rank) ? left : right;
  const others = new Set([...left.listedIn, ...right.listedIn]);
  others.delete(winner.list);
  const listedIn = [winner.list, ...[...others].sort((a, b) => rank(a) - rank(b) || order(a, b))];
  const { otherClaims: _, otherMethod: __, spellings: ___, ...row } = winner;
  const input = left.list === right.list ? agreedInput(left.input, right.input) : winner.input;
  const otherClaims = otherClaimsOf(winner, [...listingsOf(left), ...listingsOf(right)], rank);
  const otherMethod = [left, right].flatMap(methodsOf).find((method) => method !== winner.method);
  const spellings = plainest([left, right].flatMap(spellingsOf));
  return {
    ...row,
    ...(otherMethod === undefined ? {} : { otherMethod }),
    ...(spellings.length < SPELLINGS_MAX ? {} : { spellings }),
    input,
    listedIn,
    ...(otherClaims.length === 0 ? {} : { otherClaims }),
  };
}

function methodsOf({ method, otherMethod }: ListedEndpoint): readonly ProbeMethod[] {
  return otherMethod === undefined ? [method] : [method, otherMethod];
}

function spellingsOf({ target, spellings = [target] }: ListedEndpoint): readonly TargetUrl[] {
  return spellings;
}

/** The winner's, and another one. */
const SPELLINGS_MAX = 2;

/** Only paths count: servers ignore the order of a query, and a stranger could use up both places with such spellings. */
function plainest(spellings: readonly TargetUrl[]): readonly TargetUrl[] {
  const sorted = spellings.toSorted(
    (left, right) => left.href.length - right.href.length || order(left.href, right.href),
  );
  return sorted
    .filter((one, index) => sorted.findIndex((other) => pathOf(other) === pathOf(one)) === index)
    .slice(0, SPELLINGS_MAX);
}

/** Says nothing, and stays so whatever other rows say. */
const DISPUTED: ListedInput = { method: null, example: null, built: null, path: [], required: [] };

/** Anybody can add a row to most lists: where two of one list differ, none chooses what we send to the seller (gap G99). */
function agreedInput(left: ListedInput | null, right: ListedInput | null): ListedInput | null {
  return JSON.stringify(left) === JSON.stringify(right) ? left : DISPUTED;
}

/**
 * Distinct ones that say something, each by its best list, in an order that does not depend on who came first. Once any was
 * dropped, `CLAIMS_MAX` of them stay, which shows it to the judge.
 */
function otherClaimsOf(
  winner: ListedEndpoint,
  claims: readonly Listing[],
  rank: ListRank,
): readonly Listing[] {
  const byRank = (left: Listing, right: Listing) =>
    rank(left.sourceList) - rank(right.sourceList) ||
    order(left.sourceList, right.sourceList) ||
    order(claimText(left), claimText(right));
  const said = claims.filter(saysTerms);
  // The best list comes last, so that it is the one that is kept.
  const distinct = new Map(
    said.toSorted((left, right) => byRank(right, left)).map((one) => [claimText(one), one]),
  );
  distinct.delete(claimText(winner.claim));
  const room = saysTerms(winner.claim) ? CLAIMS_MAX - 1 : CLAIMS_MAX;
  return [...distinct.values()].sort(byRank).slice(0, room);
}

function saysTerms({ price, payTo, network }: Claim): boolean {
  return price !== null || payTo !== null || network !== null;
}

function claimText({ price, payTo, network }: Claim): string {
  return JSON.stringify([String(price), payTo, network]);
}

/**
 * By rank; of two rows of one list, the one with the plainer spelling of the URL, then the one changed later. The text breaks
 * ties, so that reading a list again gives the same winner.
 */
function beats(left: ListedEndpoint, right: ListedEndpoint, rank: ListRank): boolean {
  const byRank = rank(left.list) - rank(right.list) || order(left.list, right.list);
  const bySpelling = oddity(left) - oddity(right);
  const byTime = order(right.updatedMs ?? NEVER, left.updatedMs ?? NEVER);
  return (byRank || bySpelling || byTime || order(fingerprint(left), fingerprint(right))) <= 0;
}

/** Nobody can have a seller probed at '/x//' by listing that beside '/x' (gap G99). */
function oddity({ target: { href, normalized } }: ListedEndpoint): number {
  return href.length - normalized.length;
}

const NEVER = Number.NEGATIVE_INFINITY;

function fingerprint({ list, method, target, claim, input, service }: ListedEndpoint): string {
  return JSON.stringify([
    list,
    method,
    target.href,
    String(claim.price),
    claim.payTo,
    claim.network,
    input,
    service ?? null,
  ]);
}
