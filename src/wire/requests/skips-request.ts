import * as z from 'zod';
import { SKIP_SEARCH_MAX_CHARS } from '../../core/limits.ts';
import { EVERY_SKIP, type SkipFilter } from '../../core/receipt/skip-filter.ts';
import { isSkipCode, SKIP_CODES, SKIP_WORDS } from '../../core/verdict/skip-codes.ts';
import { parseNetwork } from '../../core/x402/networks.ts';
import { boundedText, parsed, wholeNumber } from './fields.ts';
import { readQuery } from './query-parameters.ts';
import { type Reading, readWith } from './reading.ts';

/** A filter value. An unknown value is not an error: it matches nothing. */
function sought(maxChars: number, spell: (value: string) => string) {
  return parsed(
    boundedText(maxChars),
    (value) => (CONTROL.test(value) ? null : spell(value)),
    'must not contain control characters',
  );
}

const CONTROL = /\p{Cc}/u;
const lowerCase = (value: string) => value.trim().toLowerCase();

export const SKIPS_ORDERS = {
  url: 'by URL',
  price_gap: 'only skips whose price differs, largest difference first',
} as const;

/** The parameters of /v1/skips and its other forms. */
export const skipsParameters = z.object({
  format: z
    .enum(['html', 'json'], 'must be html or json')
    .default('html')
    .describe('html: a page for people; json: the same as /v1/skips.json.'),
  page: wholeNumber({ min: 1, max: 999_999_999, default: 1 }).describe(
    'Page of 500 receipts, from 1; 404 beyond the last.',
  ),
  reason: parsed(
    boundedText(64),
    (value) => (isSkipCode(value) ? value : null),
    `must be one of ${SKIP_CODES.join(', ')}`,
  )
    .optional()
    .describe(
      `Only skips for this reason. ${Object.entries(SKIP_WORDS)
        .map(([code, words]) => `${code}: ${words}`)
        .join('; ')}.`,
    ),
  list: sought(255, (value) => value)
    .optional()
    .describe('Only skips from this list, as in source_list.'),
  network: sought(128, (value) => parseNetwork(value) ?? value)
    .optional()
    .describe(
      'Only skips on this network: the live one, else the listed one. CAIP-2, or a name such as base.',
    ),
  host: sought(255, lowerCase).optional().describe('Only skips of this host, on any port.'),
  q: sought(SKIP_SEARCH_MAX_CHARS, lowerCase)
    .optional()
    .describe('Only skips whose URL contains this text, case-insensitive.'),
  sort: z
    .enum(['url', 'price_gap'], 'must be url or price_gap')
    .default('url')
    .describe(`Order. url: ${SKIPS_ORDERS.url}; price_gap: ${SKIPS_ORDERS.price_gap}.`),
});

export interface SkipsRequest {
  readonly format: 'html' | 'json';
  readonly page: number;
  readonly filter: SkipFilter;
}

const NAMES: ReadonlySet<string> = new Set(Object.keys(skipsParameters.shape));
/** A form sends all its fields; empty ones do not filter. */
const MAY_BE_EMPTY: ReadonlySet<string> = new Set(['reason', 'list', 'network', 'host', 'q', 'sort']);

/** The common case: no parameters. */
const FIRST_PAGE: Reading<SkipsRequest> = {
  kind: 'read',
  value: { format: 'html', page: 1, filter: EVERY_SKIP },
};

export function readSkipsRequest(query: string): Reading<SkipsRequest> {
  if (query === '') return FIRST_PAGE;
  const parameters = readQuery(query, NAMES);
  if (parameters.kind !== 'read') return parameters;
  const given = Object.entries(parameters.value).filter(
    ([name, value]) => !(MAY_BE_EMPTY.has(name) && value.trim() === ''),
  );
  const reading = readWith(skipsParameters, Object.fromEntries(given));
  if (reading.kind !== 'read') return reading;
  const { format, page, reason = null, list = null, network = null, host = null, q, sort } = reading.value;
  return {
    kind: 'read',
    value: { format, page, filter: { reason, list, network, host, search: q ?? null, sort } },
  };
}

/** The address of a view: its filter in a fixed order, so that a view has one address, and the page if there is one. */
export function viewUrl(listing: string, filter: SkipFilter | null, page: number | null): string {
  const said = filter === null ? [] : Object.entries(filterParameters(filter));
  const parameters = said.filter((entry): entry is [string, string] => entry[1] !== null);
  if (page !== null) parameters.push(['page', String(page)]);
  return parameters.length === 0 ? listing : `${listing}?${new URLSearchParams(parameters)}`;
}

/** The members under their query names; the default order is omitted. */
export function filterParameters({ reason, list, network, host, search, sort }: SkipFilter) {
  return { reason, list, network, host, q: search, sort: sort === 'url' ? null : sort };
}
