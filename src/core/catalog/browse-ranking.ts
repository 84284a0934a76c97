import { order } from '../order.ts';
import { byPassRateThenPrice, type RankedService, type Ranking, type ServiceFacts } from './rank-services.ts';

export const CATALOG_SORTS = ['rank', 'price', 'passed', 'last', 'name'] as const;
export type CatalogSort = (typeof CATALOG_SORTS)[number];
export type SortDirection = 'asc' | 'desc';

/** A part of the catalog, in an order of the reader. */
export interface CatalogView {
  /** A slug. */
  readonly task: string | null;
  /** In lower case. */
  readonly search: string | null;
  readonly paidOnly: boolean;
  readonly sort: CatalogSort;
  /** Null: the usual one of the order. */
  readonly dir: SortDirection | null;
}

export const WHOLE_CATALOG: CatalogView = {
  task: null,
  search: null,
  paidOnly: false,
  sort: 'rank',
  dir: null,
};

/** Best, cheapest, newest and A first. */
export const USUAL_DIRECTIONS: Readonly<Record<CatalogSort, SortDirection>> = {
  rank: 'asc',
  price: 'asc',
  passed: 'desc',
  last: 'desc',
  name: 'asc',
};

export interface BrowsedRanking extends Pick<Ranking, 'ranked' | 'factsOnly' | 'matched'> {
  /** How many there are without the filter. */
  readonly total: number;
  /** Whether any service was ever paid, filtered out or not. */
  readonly isAnyPaid: boolean;
}

/** At most `limit` services. Filters leave out and never move: the order of two services is that of the whole catalog. */
export function browseRanking(
  { ranked, factsOnly }: Ranking,
  view: CatalogView,
  limit: number,
): BrowsedRanking {
  const isWanted = (facts: ServiceFacts) => matches(facts, view);
  const wanted = sorted(ranked.filter(isWanted), view);
  const others = factsOnly.filter(isWanted);
  return {
    ranked: wanted.slice(0, limit),
    factsOnly: others.slice(0, Math.max(0, limit - wanted.length)),
    matched: wanted.length + others.length,
    total: ranked.length + factsOnly.length,
    isAnyPaid: [...ranked, ...factsOnly].some(({ newestCallAt }) => newestCallAt !== null),
  };
}

function matches({ service, newestCallAt }: ServiceFacts, { task, search, paidOnly }: CatalogView): boolean {
  if (task !== null && !service.tasks.includes(task)) return false;
  if (paidOnly && newestCallAt === null) return false;
  if (search === null) return true;
  const { id, name, provider, description } = service;
  return [id, name, provider, description].some((text) => text.toLowerCase().includes(search));
}

/** Services without a value are last in both directions: nothing is known about them. */
function sorted(services: readonly RankedService[], { sort, dir }: CatalogView): readonly RankedService[] {
  const { isKnown, compare } = ORDERS[sort];
  const upwards = services.filter(isKnown).sort(compare);
  const direction = dir ?? USUAL_DIRECTIONS[sort];
  const known = direction === 'asc' ? upwards : upwards.reverse();
  return [...known, ...services.filter((one) => !isKnown(one)).sort(byPassRateThenPrice)];
}

interface CatalogOrder {
  readonly isKnown: (one: RankedService) => boolean;
  readonly compare: (left: RankedService, right: RankedService) => number;
}

const isGraded = ({ passRate }: RankedService) => passRate !== null;

/** Each with the order of a lookup where two are equal, so that it is total. */
const ORDERS: Readonly<Record<CatalogSort, CatalogOrder>> = {
  rank: { isKnown: isGraded, compare: byPassRateThenPrice },
  price: {
    isKnown: () => true,
    compare: (left, right) =>
      order(left.service.price, right.service.price) || byPassRateThenPrice(left, right),
  },
  passed: {
    isKnown: isGraded,
    compare: (left, right) =>
      order(left.passRateLow ?? 0, right.passRateLow ?? 0) || byPassRateThenPrice(right, left),
  },
  last: {
    isKnown: ({ newestCallAt }) => newestCallAt !== null,
    compare: (left, right) => order(calledAt(left), calledAt(right)) || byPassRateThenPrice(right, left),
  },
  name: {
    isKnown: () => true,
    compare: (left, right) => order(nameOf(left), nameOf(right)) || byPassRateThenPrice(left, right),
  },
};

function calledAt({ newestCallAt }: RankedService): number {
  return newestCallAt?.getTime() ?? 0;
}

function nameOf({ service }: RankedService): string {
  return service.name.toLowerCase();
}
