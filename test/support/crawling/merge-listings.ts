import type { ListedEndpoint } from '../../../src/core/crawl/listed-endpoint.ts';
import { type ListRank, mergeListed } from '../../../src/core/crawl/merge-listed.ts';

/** What the store should hold after all these rows, by normalised URL. */
export function mergeListings(rows: Iterable<ListedEndpoint>, rank: ListRank): Map<string, ListedEndpoint> {
  const merged = new Map<string, ListedEndpoint>();
  for (const row of rows) {
    const known = merged.get(row.target.normalized);
    merged.set(row.target.normalized, known === undefined ? row : mergeListed(known, row, rank));
  }
  return merged;
}
