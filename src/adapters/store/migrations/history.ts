import type { Engine, Queries } from '../tables.ts';
import { attribution } from './attribution.ts';
import { countersTogether } from './counters-together.ts';
import { crawlWork } from './crawl-work.ts';
import { firstTables } from './first-tables.ts';
import { probePlaces } from './probe-places.ts';
import { quotesAndLapsedPayments } from './quotes-and-lapsed-payments.ts';
import { runsPaymentsJobs } from './runs-payments-jobs.ts';
import { skipFilters } from './skip-filters.ts';

/** One step from the schema before it to the next; never changed after a release. */
export interface Migration {
  readonly name: string;
  up(queries: Queries, engine: Engine): Promise<void>;
}

/** The version of a step is its place in this list, from one. Steps are only ever added at the end. */
export const HISTORY: readonly Migration[] = [
  { name: 'first-tables', up: firstTables },
  { name: 'runs-payments-jobs', up: runsPaymentsJobs },
  { name: 'quotes-and-lapsed-payments', up: quotesAndLapsedPayments },
  { name: 'attribution', up: attribution },
  { name: 'crawl-work', up: crawlWork },
  { name: 'skip-filters', up: skipFilters },
  { name: 'probe-places', up: probePlaces },
  { name: 'counters-together', up: countersTogether },
];
