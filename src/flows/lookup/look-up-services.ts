import type { EndpointCheck } from '../../core/catalog/endpoint-check.ts';
import { type Ranking, rankServices } from '../../core/catalog/rank-services.ts';
import type { Service } from '../../core/catalog/read-catalog.ts';
import { atOrBelow, matchEndpoint, matchTask, type TaskIndex } from '../../core/catalog/task-index.ts';
import type { MicroUsd } from '../../core/money/micro-usd.ts';
import type { ServiceFactsReader } from '../../ports/paid-calls.ts';
import { readRecords } from './read-records.ts';

/** A task as a slug, or one endpoint. Tier, payer and caller are not part of it (gap G94). */
export interface LookUp {
  readonly task: string | null;
  readonly endpoint: string | null;
  readonly maxPrice: MicroUsd | null;
  readonly n: number;
  readonly limit: number;
}

export interface FoundServices extends Ranking {
  readonly checks: ReadonlyMap<string, EndpointCheck>;
  /** The nearest task names, when nothing matched (gap G21). */
  readonly suggestions: readonly string[];
  /** The URL that was asked for, if no service has it and there are receipts of it. */
  readonly receiptsOf: string | null;
}

export interface Catalog {
  readonly index: TaskIndex;
  readonly facts: ServiceFactsReader;
}

/** Knows neither the caller nor the tier, so that payment cannot change a result. */
export async function lookUpServices(query: LookUp, catalog: Catalog, now: Date): Promise<FoundServices> {
  const { services, suggestions } = matching(query, catalog.index);
  const wanted = atOrBelow(services, query.maxPrice);
  const [records, checks] = await Promise.all([
    readRecords(wanted, catalog.facts),
    wanted.length === 0 ? NO_CHECKS : catalog.facts.checksOf(wanted.map(({ id }) => id)),
  ]);
  return { ...rankServices(records, { ...query, now }), checks, suggestions, receiptsOf: null };
}

const NO_CHECKS: FoundServices['checks'] = new Map();

interface Matching {
  readonly services: readonly Service[];
  readonly suggestions: readonly string[];
}

function matching({ task, endpoint }: LookUp, index: TaskIndex): Matching {
  if (endpoint !== null) return { services: matchEndpoint(index, endpoint), suggestions: [] };
  return task === null ? { services: [], suggestions: [] } : matchTask(index, task);
}
