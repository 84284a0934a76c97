import * as z from 'zod';
import { slug, wordsOf } from '../../core/catalog/slug.ts';
import { CATALOG_SEARCH } from '../../core/limits.ts';
import type { CatalogSearch } from '../../flows/lookup/search-catalog.ts';
import { boundedText, maxUsd, parsed, taskText, wholeNumber } from './fields.ts';
import { readQuery } from './query-parameters.ts';
import { type Reading, readWith } from './reading.ts';

/** The parameters of /v1/services (gap G90). */
export const servicesParameters = z.object({
  query: parsed(
    boundedText(CATALOG_SEARCH.queryMaxChars),
    (text) => {
      const words = wordsOf(text);
      return words.length > CATALOG_SEARCH.wordsMax ? null : words;
    },
    `must have at most ${CATALOG_SEARCH.wordsMax} words`,
  )
    .optional()
    .describe('Words that must all occur in name, task, category or description. Without it: all services.'),
  category: parsed(taskText, slug, 'must contain a letter or a digit')
    .optional()
    .describe('Exact category, such as weather.'),
  max_price: maxUsd.optional().describe('Highest listed price per call, USD; rounded down to a millionth.'),
  reachable_only: z
    .enum(['true', 'false'], 'must be true or false')
    .default('false')
    .describe('true: only services that responded to our last unpaid check.'),
  limit: wholeNumber(CATALOG_SEARCH.services).describe('Services returned.'),
});

const NAMES: ReadonlySet<string> = new Set(Object.keys(servicesParameters.shape));

export function readServicesRequest(text: string): Reading<CatalogSearch> {
  const parameters = readQuery(text, NAMES);
  if (parameters.kind !== 'read') return parameters;
  const reading = readWith(servicesParameters, parameters.value);
  if (reading.kind !== 'read') return reading;
  const {
    query: words = [],
    category = null,
    max_price: maxPrice = null,
    reachable_only,
    limit,
  } = reading.value;
  return {
    kind: 'read',
    value: { words, category, maxPrice, reachableOnly: reachable_only === 'true', limit },
  };
}
