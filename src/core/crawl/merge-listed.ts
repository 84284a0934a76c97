import { order } from '../order.ts';
import type { ListedEndpoint } from './listed-endpoint.ts';

/** The rank of a list: of several lists with a URL, the lowest rank wins. */
export type ListRank = (list: string) => number;

/** By the order of the configuration; lists that are not in it come last, all equal. */
export function rankLists(order: readonly string[]): ListRank {
  const ranks = new Map(order.map((list, rank) => [list, rank]));
  return (list) => ranks.get(list) ?? order.length;
}

/** Merges two rows with the same normalised URL, with all lists of both. The order of the rows does not matter. */
export function mergeListed(left: ListedEndpoint, right: ListedEndpoint, rank: ListRank): ListedEndpoint {
  const winner = beats(left, right, rank) ? left : right;
  const others = new Set([...left.listedIn, ...right.listedIn]);
  others.delete(winner.list);
  const listedIn = [winner.list, ...[...others].sort((a, b) => rank(a) - rank(b) || order(a, b))];
  return { ...winner, listedIn };
}

/**
 * By rank; of two rows of one list, the one changed later. The text breaks ties, so that reading a list again gives the same
 * winner.
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
