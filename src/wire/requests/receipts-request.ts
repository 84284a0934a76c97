import * as z from 'zod';
import { RECEIPTS_PAGE } from '../../core/limits.ts';
import type { CursorScope } from '../../core/receipt/cursor.ts';
import { parseTargetUrl } from '../../core/url/target-url.ts';
import type { UrlAndMethod } from '../../flows/read/read-receipts.ts';
import { boundedText, callerName, wholeNumber } from './fields.ts';
import { readQuery } from './query-parameters.ts';
import { badRequest, type Reading, readWith } from './reading.ts';
import { URL_FAULTS } from './spot-check-request.ts';

/** The parameters of /v1/receipts; `page` counts without a type, the others with one. */
export const receiptsParameters = z.object({
  type: z
    .enum(['live', 'dry-run'], 'must be live or dry-run')
    .optional()
    .describe('List stored spot-checks instead of the crawl. live: live checks; dry-run: dry runs.'),
  ref: callerName.optional().describe('Only receipts with this ref; needs type.'),
  limit: wholeNumber(RECEIPTS_PAGE).describe('Page size; needs type.'),
  cursor: boundedText(256).optional().describe('next_cursor of the previous page; needs type.'),
  page: wholeNumber({ min: 1, max: 999_999_999, default: 1 }).describe('Page of the crawl listing.'),
});

export type ReceiptsRequest =
  | { readonly kind: 'crawl'; readonly page: number }
  | {
      readonly kind: 'stored';
      readonly scope: CursorScope;
      readonly cursor: string | null;
      readonly limit: number;
    };

/** Ignored without a type, they would turn a question about one ref into the whole crawl. */
const NEED_TYPE = ['ref', 'limit', 'cursor'] as const;
const NAMES: ReadonlySet<string> = new Set(Object.keys(receiptsParameters.shape));

export function readReceiptsRequest(query: string): Reading<ReceiptsRequest> {
  const parameters = readQuery(query, NAMES);
  if (parameters.kind !== 'read') return parameters;
  const reading = readWith(receiptsParameters, parameters.value);
  if (reading.kind !== 'read') return reading;
  const { type, ref = null, cursor = null, limit, page } = reading.value;
  const stray = type === undefined ? NEED_TYPE.find((name) => Object.hasOwn(parameters.value, name)) : null;
  if (stray)
    return badRequest(stray, `${stray} needs type=live or type=dry-run; the crawl listing has only page.`);
  const value: ReceiptsRequest =
    type === undefined ? { kind: 'crawl', page } : { kind: 'stored', scope: { type, ref }, cursor, limit };
  return { kind: 'read', value };
}

const BY_URL_NAMES: ReadonlySet<string> = new Set(['url', 'method']);

/** The parameters of /v1/receipts/by-url, /badge.svg and /v1/watch.atom. */
export function readByUrlRequest(query: string): Reading<UrlAndMethod> {
  const parameters = readQuery(query, BY_URL_NAMES);
  if (parameters.kind !== 'read') return parameters;
  const { url: text, method = null } = parameters.value;
  if (text === undefined) return badRequest('url', 'url must be sent.');
  if (method !== null && method !== 'GET' && method !== 'POST') {
    return badRequest('method', 'method must be GET or POST.');
  }
  const reading = parseTargetUrl(text);
  if (reading.kind === 'target') return { kind: 'read', value: { target: reading.target, method } };
  return badRequest('url', `url ${URL_FAULTS[reading.fault]}.`);
}
