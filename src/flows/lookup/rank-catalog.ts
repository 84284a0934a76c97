import { type Ranking, rankServices } from '../../core/catalog/rank-services.ts';
import { memoizeFor } from '../../core/concurrency/memoize-for.ts';
import { LOOKUP_RECEIPTS } from '../../core/limits.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Catalog } from './look-up-services.ts';
import { readRecords } from './read-records.ts';

/** The whole catalog in the order of a lookup with the largest n, and when it was read. */
export interface CatalogRanking extends Ranking {
  readonly at: Date;
}

export type RankCatalog = () => Promise<CatalogRanking>;

/** New paid calls show after at most this long; a catalog of hundreds is read less often, since reading it takes longer. */
const FRESH_MS = 1_000;
const FRESH_MS_PER_SERVICE = 10;

/** One reading serves all pages that show more than one service. */
export function createRankCatalog({ index, facts }: Catalog, { now }: Pick<Clock, 'now'>): RankCatalog {
  const rank = async () => {
    const at = now();
    const records = await readRecords(index.services, facts);
    return { ...rankServices(records, { n: LOOKUP_RECEIPTS.max, limit: records.length, now: at }), at };
  };
  const freshMs = Math.max(FRESH_MS, FRESH_MS_PER_SERVICE * index.services.length);
  return memoizeFor(rank, freshMs, () => now().getTime());
}
