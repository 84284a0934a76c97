import { exampled } from '../examples/known-service.ts';
import { CACHED, type Frame, IF_NONE_MATCH, linkTo, PAGED, type Paths } from '../frame.ts';
import type { JsonObject } from '../json-schema.ts';
import { BY_URL_QUERY, type Parameter, RECEIPT_ID_IN_PATH, RECEIPTS_QUERY } from '../parameters.ts';
import { headerRefs } from '../response-headers.ts';
import { HTML_PAGE, mediaType, NOT_MODIFIED, ok, problems, type Responses } from '../responses.ts';

/** What is stored about checks and crawls. */
export function receiptPaths(frame: Frame): Paths {
  return {
    '/v1/receipts': { get: receipts(frame) },
    '/v1/receipts/by-url': { get: receiptsByUrl(frame) },
    '/v1/receipts/{id}': { get: receiptById(frame) },
  };
}

function receipts({ links, examples: { receiptsSummary, receiptListing } }: Frame): JsonObject {
  const { 200: page } = ok('One page.', { receiptsSummary, receiptListing }, ...PAGED);
  return {
    operationId: 'listReceipts',
    tags: ['Receipts'],
    summary: 'Receipts: all of the latest crawl, or the stored spot-checks of one mode',
    description:
      'Without type: every receipt of the latest crawl, selected by page. With type: stored spot-checks, newest first, selected by ref, limit and cursor.',
    security: [],
    parameters: [...RECEIPTS_QUERY.map(withoutCursor), IF_NONE_MATCH],
    responses: {
      200: { ...page, links: { next: linkTo('listReceipts', 'cursor', '/next_cursor') } },
      ...NOT_MODIFIED,
      ...problems(links, ['bad_request', 'not_found', 'store_unavailable'], {
        field: 'cursor',
        detail: 'cursor must be a next_cursor of this listing.',
      }),
    },
  };
}

/** Only an earlier page has a cursor. */
function withoutCursor({ example, ...parameter }: Parameter): JsonObject {
  return parameter.name === 'cursor' ? parameter : { ...parameter, example };
}

function receiptsByUrl({ links, known, examples: { byUrl } }: Frame): JsonObject {
  return {
    operationId: 'receiptsByUrl',
    tags: ['Receipts'],
    summary: 'Receipts of one URL: the last live check, the last dry run, the crawl',
    description:
      'It never sends a probe: a URL that was never checked is a 404, whose check_now is the address of a dry-run check.',
    security: [],
    parameters: [...exampled(BY_URL_QUERY, known), IF_NONE_MATCH],
    responses: {
      ...ok('Everything public about the URL.', { byUrl }, ...CACHED),
      ...NOT_MODIFIED,
      ...problems(links, ['bad_request', 'no_receipt', 'store_unavailable'], {
        field: 'url',
        detail: 'url must be sent.',
      }),
    },
  };
}

function receiptById({ links, examples: { liveReceipt, crawlReceipt } }: Frame): JsonObject {
  return {
    operationId: 'receipt',
    tags: ['Receipts'],
    summary: 'One receipt; it never changes',
    description:
      'JSON, or an HTML page if Accept prefers text/html. {id}.json is always JSON, {id}.png a picture for link previews, 1200 by 630.',
    security: [],
    parameters: [RECEIPT_ID_IN_PATH, IF_NONE_MATCH],
    responses: {
      200: {
        description: 'The receipt of a spot-check or of the crawl.',
        headers: headerRefs('X-Request-Id', ...CACHED),
        content: {
          'application/json': mediaType({ liveReceipt, crawlReceipt }),
          'text/html': HTML_PAGE,
        },
      },
      ...NOT_MODIFIED,
      ...alsoAsPage(problems(links, ['not_found', 'withdrawn', 'retired', 'store_unavailable']), [
        '404',
        '410',
      ]),
    },
  };
}

/** For callers that prefer HTML. */
function alsoAsPage(responses: Responses, statuses: readonly string[]): Responses {
  const withPages = Object.entries(responses).map(([status, response]): [string, JsonObject] => {
    const { content } = response;
    if (!statuses.includes(status) || typeof content !== 'object') return [status, response];
    return [status, { ...response, content: { ...content, 'text/html': HTML_PAGE } }];
  });
  return Object.fromEntries(withPages);
}
