import * as z from 'zod';
import { wholeNumber } from '../requests/fields.ts';
import { readQuery } from '../requests/query-parameters.ts';
import { type Reading, readWith } from '../requests/reading.ts';

export const CORRECTIONS_PAGES_MAX = 10_000;

const parameters = z.object({ page: wholeNumber({ min: 1, max: CORRECTIONS_PAGES_MAX, default: 1 }) });
const NAMES: ReadonlySet<string> = new Set(['page']);

/** The page of /v1/corrections and /corrections. */
export function readCorrectionsRequest(text: string): Reading<number> {
  const query = readQuery(text, NAMES);
  if (query.kind !== 'read') return query;
  const reading = readWith(parameters, query.value);
  return reading.kind === 'read' ? { kind: 'read', value: reading.value.page } : reading;
}
