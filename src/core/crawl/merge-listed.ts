import { order } from '../order.ts';
import type { ListedEndpoint } from './listed-endpoint.ts';

/** Says how much a list is believed: the lower number wins a URL that several lists have. */
export type ListRank = (list: string) => number;

/** The order of the configuration decides; lists that are not in it come last, all equal. */
export function rankLists(order: readonly string[]): ListRank {
  const ranks = new Map(order.map((list, rank) => [list, rank]));
  return (list) => ranks.get(list) ?? order.length;
}

/** One endpoint of two rows with the same normalised URL, with all lists it is on. The order of the rows does not matter. */
export function mergeListed(left: ListedEndpoint, right: ListedEndpoint, rank: ListRank): ListedEndpoint {
  const winner = beats(left, right, rank) ? left : right;
  const others = new Set([...left.listedIn, ...right.listedIn]);
  others.delete(winner.list);
  const listedIn = [winner.list, ...[...others].sort((a, b) => rank(a) - rank(b) || order(a, b))];
  return { ...winner, listedIn };
}

/**
 * Rank first; of two rows of one list the one touched later. Between equals the text decides, so that a re-read list gives
 * the same winner.
 */
function beats(left: ListedEndpoint, right: ListedEndpoint, rank: ListRank): boolean {
  const byRank = rank(left.list) - rank(right.list) || order(left.list, right.list);
  const byTime = order(right.updatedMs ?? NEVER, left.updatedMs ?? NEVER);
  return (byRank || byTime || order(fingerprint(left), fingerprint(right))) <= 0;
}

const NEVER = Number.NEGATIVE_INFINITY;

function fingerprint({ list, method, target, claim, example, service }: ListedEndpoint): string {
  return JSON.stringify([
    list,
    method,
    target.href,
    String(claim.price),
    claim.payTo,
    claim.network,
    example,
    service ?? null,
  ]);
}
