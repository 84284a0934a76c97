import { matchEndpoint, type TaskIndex } from '../../core/catalog/task-index.ts';
import type { AttributedLookup, AttributionStore, LookupSubject } from '../../ports/attribution.ts';
import type { LookUp } from '../lookup/look-up-services.ts';

/** An answered lookup, with what its caller says about itself. */
export interface AnsweredLookup extends Omit<AttributedLookup, 'subject'> {
  readonly query: Pick<LookUp, 'task' | 'endpoint'>;
}

export interface AttributionPorts {
  readonly attribution: Pick<AttributionStore, 'note'>;
  readonly index: TaskIndex;
}

/** Called after the answer and without a result, so that no answer can depend on the caller. */
export function recordLookup(
  { query, client, ref, payer }: AnsweredLookup,
  at: Date,
  { attribution, index }: AttributionPorts,
): void {
  attribution.note({ subject: subjectOf(query, index), client, ref, payer }, at);
}

/** One lookup is one count: of services that share a URL, the one with the lowest id counts. */
function subjectOf({ task, endpoint }: AnsweredLookup['query'], index: TaskIndex): LookupSubject {
  if (task !== null) return { kind: 'task', name: task };
  const ids = endpoint === null ? [] : matchEndpoint(index, endpoint).map(({ id }) => id);
  return { kind: 'endpoint', name: ids.sort()[0] ?? null };
}

/** Long enough to compare a month with the same month of the year before. */
export const ATTRIBUTION_KEPT_DAYS = 400;
const STEP_ROWS = 500;
const DAY_MS = 86_400_000;

/** Deletes what is too old for any report, one bounded step at a time. */
export function pruneAttribution(store: Pick<AttributionStore, 'prune'>, now: Date): Promise<number> {
  return store.prune(new Date(now.getTime() - ATTRIBUTION_KEPT_DAYS * DAY_MS), STEP_ROWS);
}
