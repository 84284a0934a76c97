import { CACHED, type Frame, IF_NONE_MATCH, PAGED, type Paths } from '../frame.ts';
import type { JsonObject } from '../json-schema.ts';
import { SKIPS_QUERY } from '../parameters.ts';
import { headerRefs } from '../response-headers.ts';
import { HTML_PAGE, mediaType, NOT_MODIFIED, ok, problems } from '../responses.ts';

const PAGE_FAULT = { field: 'page', detail: 'page must be a whole number from 1 to 999999999.' };

/** The skips of the latest crawl, in four formats. */
export function skipsPaths(frame: Frame): Paths {
  return {
    '/v1/skips': { get: skipsPage(frame) },
    '/v1/skips.json': { get: skipsJson(frame) },
    '/v1/skips.csv': { get: skipsCsv(frame) },
    '/v1/skips.atom': { get: skipsAtom(frame) },
  };
}

function skipsPage({ links, examples: { skips } }: Frame): JsonObject {
  return {
    operationId: 'skipsPage',
    tags: ['Receipts'],
    summary: 'Listed endpoints to skip, as an HTML page',
    description: 'For people; programs use /v1/skips.json, which takes the same filters.',
    security: [],
    parameters: [...SKIPS_QUERY, IF_NONE_MATCH],
    responses: {
      200: {
        description: 'An HTML page with an anchor on each row, or the summary with format=json.',
        headers: headerRefs('X-Request-Id', ...PAGED),
        content: {
          'text/html': HTML_PAGE,
          'application/json': mediaType({ skips }),
        },
      },
      ...NOT_MODIFIED,
      ...problems(links, ['bad_request', 'not_found', 'store_unavailable'], PAGE_FAULT),
    },
  };
}

function skipsJson({ links, examples: { skips } }: Frame): JsonObject {
  return {
    operationId: 'skips',
    tags: ['Receipts'],
    summary: 'Listed endpoints to skip: their live 402 contradicts the listing, or they cannot be checked',
    description: 'From the latest crawl, 500 a page. Empty until the first crawl is published.',
    security: [],
    parameters: [...SKIPS_OTHER_FORMS, IF_NONE_MATCH],
    responses: {
      ...ok('Totals of the latest crawl and one page of its skips.', { skips }, ...PAGED),
      ...NOT_MODIFIED,
      ...problems(links, ['bad_request', 'not_found', 'store_unavailable'], PAGE_FAULT),
    },
  };
}

function skipsCsv({ links }: Frame): JsonObject {
  return {
    operationId: 'skipsCsv',
    tags: ['Receipts'],
    summary: 'The same page of skips as CSV (RFC 4180)',
    description:
      'The columns have the names of the JSON members. What looks like a formula begins with an apostrophe.',
    security: [],
    parameters: [...SKIPS_OTHER_FORMS, IF_NONE_MATCH],
    responses: {
      200: {
        description: 'A header line and up to 500 skips.',
        headers: headerRefs('X-Request-Id', ...PAGED),
        content: {
          'text/csv': { schema: { type: 'string' }, example: 'id,url,method,verdict,code,reason\r\n' },
        },
      },
      ...NOT_MODIFIED,
      ...problems(links, ['bad_request', 'not_found', 'store_unavailable'], PAGE_FAULT),
    },
  };
}

function skipsAtom({ links }: Frame): JsonObject {
  return {
    operationId: 'skipsFeed',
    tags: ['Receipts'],
    summary: 'Atom feed of new skips',
    description: 'Skip in the latest crawl, not skip in the previous one.',
    security: [],
    parameters: [IF_NONE_MATCH],
    responses: {
      200: {
        description: 'Up to 100 entries, newest first; the id is the address of the receipt.',
        headers: headerRefs('X-Request-Id', ...CACHED),
        content: {
          'application/atom+xml': { schema: { type: 'string' }, example: '<?xml version="1.0"?> ...' },
        },
      },
      ...NOT_MODIFIED,
      ...problems(links, ['store_unavailable']),
    },
  };
}

/** The other formats have their own paths. */
const SKIPS_OTHER_FORMS = SKIPS_QUERY.filter(({ name }) => name !== 'format');
