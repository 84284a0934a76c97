import { matchEndpoint, type TaskIndex } from '../../core/catalog/task-index.ts';
import type { AttributedLookup, AttributionStore, LookupSubject } from '../../ports/attribution.ts';
import type { LookUp } from '../lookup/look-up-services.ts';

/** A lookup that was answered, with what its caller said about itself. */
export interface AnsweredLookup extends Omit<AttributedLookup, 'subject'> {
  readonly query: Pick<LookUp, 'task' | 'endpoint'>;
}

export type RecordLookup = (lookup: AnsweredLookup, at: Date) => void;

export interface RecordParts {
  readonly attribution: Pick<AttributionStore, 'note'>;
  readonly index: TaskIndex;
}

/** Comes after the answer and gives nothing back, so that no answer can depend on who asks. */
export function createRecordLookup({ attribution, index }: RecordParts): RecordLookup {
  return ({ query, client, ref, payer }, at) =>
    attribution.note({ subject: subjectOf(query, index), client, ref, payer }, at);
}

/** One lookup is one count: of services that share a URL the first by its id stands for all. */
function subjectOf({ task, endpoint }: AnsweredLookup['query'], index: TaskIndex): LookupSubject {
  if (task !== null) return { kind: 'task', name: task };
  const ids = endpoint === null ? [] : matchEndpoint(index, endpoint).map(({ id }) => id);
  return { kind: 'endpoint', name: ids.sort()[0] ?? null };
}

/** A month can still be compared with the same one a year before. */
export const ATTRIBUTION_KEPT_DAYS = 400;
const STEP_ROWS = 500;
const DAY_MS = 86_400_000;

/** Forgets what is too old for any report, a bounded part of it at a time. */
export function pruneAttribution(store: Pick<AttributionStore, 'prune'>, now: Date): Promise<number> {
  return store.prune(new Date(now.getTime() - ATTRIBUTION_KEPT_DAYS * DAY_MS), STEP_ROWS);
}
