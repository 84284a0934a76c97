import type { SkipCode } from '../verdict/skip-codes.ts';
import type { RunFacets } from './crawl-facets.ts';

/** Which skips of a run to show, and in which order (gap L50). Null: no restriction. */
export interface SkipFilter {
  readonly reason: SkipCode | null;
  /** The list whose claim was compared: `source_list` of the receipt. */
  readonly list: string | null;
  readonly network: string | null;
  readonly host: string | null;
  /** Part of the URL as the receipt shows it, in lower case. */
  readonly search: string | null;
  /** By URL; or only those whose price differs, the largest difference first. */
  readonly sort: 'url' | 'price_gap';
}

export const EVERY_SKIP: SkipFilter = {
  reason: null,
  list: null,
  network: null,
  host: null,
  search: null,
  sort: 'url',
};

/** The members of a filter that are compared for equality; the store has an index for each. */
export const SKIP_FACETS = ['host', 'reason', 'network', 'list'] as const;
export type SkipFacet = (typeof SKIP_FACETS)[number];

export function isEverySkip(filter: SkipFilter): boolean {
  return (
    filter.sort === 'url' && filter.search === null && SKIP_FACETS.every((facet) => filter[facet] === null)
  );
}

/** The host of a URL without its port, in lower case; for text that is not a URL, what looks like its host. */
export function hostOf(url: string): string {
  const [authority = ''] = url.slice(url.indexOf('//') + 2).split(/[/?#]/, 1);
  return authority
    .slice(authority.lastIndexOf('@') + 1)
    .replace(/:[0-9]*$/, '')
    .toLowerCase();
}

/**
 * The most selective member of a filter: the store walks its rows and tests the other members row by row. Hosts are not
 * counted; a host is nearly always the most selective.
 */
export function leadOf(filter: SkipFilter, facets: RunFacets | null): SkipFacet | null {
  const given = SKIP_FACETS.filter((facet) => filter[facet] !== null);
  const [first] = given;
  if (first === undefined || first === 'host' || facets === null) return first ?? null;
  return given.reduce((best, facet) =>
    rowsOf(facet, filter, facets) < rowsOf(best, filter, facets) ? facet : best,
  );
}

/** The number of skips that pass a filter, if it was counted at publication; null if it has to be counted. */
export function countedBefore(filter: SkipFilter, facets: RunFacets | null): number | null {
  const [facet, ...others] = SKIP_FACETS.filter((one) => filter[one] !== null);
  if (facets === null || filter.search !== null || others.length > 0) return null;
  if (filter.sort === 'price_gap') return facet === undefined ? facets.priceGaps : null;
  return facet === undefined ? null : countOf(facet, filter, facets);
}

function rowsOf(facet: SkipFacet, filter: SkipFilter, facets: RunFacets): number {
  return countOf(facet, filter, facets) ?? 0;
}

/** Hosts are not counted, and of the networks only the most frequent are kept. */
function countOf(
  facet: SkipFacet,
  filter: SkipFilter,
  { reasons, lists, networks }: RunFacets,
): number | null {
  switch (facet) {
    case 'reason':
      return reasons.get(filter.reason ?? '') ?? 0;
    case 'list':
      return lists.get(filter.list ?? '')?.skips ?? 0;
    case 'network':
      return networks.get(filter.network ?? '') ?? null;
    case 'host':
      return null;
  }
}
