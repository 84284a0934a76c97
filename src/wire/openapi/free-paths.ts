import type { JsonObject } from './component-schemas.ts';
import { exampled } from './examples/known-service.ts';
import { CACHED, type Frame, IF_NONE_MATCH, linkTo, PAGED, type Paths } from './frame.ts';
import { hostPaths } from './host-paths.ts';
import {
  BY_URL_QUERY,
  type Parameter,
  RECEIPT_ID_IN_PATH,
  RECEIPTS_QUERY,
  SERVICE_ID,
  SERVICES_QUERY,
} from './parameters.ts';
import { headerRefs } from './response-headers.ts';
import { mediaType, NOT_MODIFIED, ok, problems, type Responses, unlimitedProblems } from './responses.ts';
import { skipsPaths } from './skips-paths.ts';
import { statementPaths } from './statement-paths.ts';

/** The free paths. */
export function freePaths(frame: Frame): Paths {
  return {
    ...skipsPaths(frame),
    '/v1/receipts': { get: receipts(frame) },
    '/v1/receipts/by-url': { get: receiptsByUrl(frame) },
    '/v1/receipts/{id}': { get: receiptById(frame) },
    ...statementPaths(frame),
    '/v1/tasks': { get: tasks(frame) },
    '/v1/services': { get: services(frame) },
    '/v1/services/{id}': { get: serviceById(frame) },
    ...hostPaths(frame),
    '/badge.svg': { get: badge(frame) },
    '/healthz': { get: health(frame) },
    '/readyz': { get: readiness(frame) },
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
          'text/html': PAGE,
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
    return [status, { ...response, content: { ...content, 'text/html': PAGE } }];
  });
  return Object.fromEntries(withPages);
}

const PAGE: JsonObject = { schema: { type: 'string' }, example: '<!doctype html> ...' };

function tasks({ links, examples: { tasks: answer } }: Frame): JsonObject {
  return {
    operationId: 'tasks',
    tags: ['Lookup'],
    summary: 'Task names and the ids of their services',
    description:
      'The names are the values of task in /v1/lookup, the ids those of endpoint there and of /v1/services/{id}.',
    security: [],
    parameters: [IF_NONE_MATCH],
    responses: { ...ok('The map.', { tasks: answer }, ...CACHED), ...NOT_MODIFIED, ...problems(links, []) },
  };
}

function services({ links, known, examples: { services: answer } }: Frame): JsonObject {
  return {
    operationId: 'services',
    tags: ['Lookup'],
    summary: 'Browse the catalog: free, not metered and not ranked',
    description: 'To choose a service for a task by its pass rate, use /v1/lookup.',
    security: [],
    parameters: [...exampled(SERVICES_QUERY, known), IF_NONE_MATCH],
    responses: {
      ...ok('Services, sorted by id.', { services: answer }, ...CACHED),
      ...NOT_MODIFIED,
      ...problems(links, ['bad_request', 'store_unavailable'], {
        field: 'limit',
        detail: 'limit must be a whole number from 1 to 100.',
      }),
    },
  };
}

function serviceById({ links, known, examples: { service } }: Frame): JsonObject {
  return {
    operationId: 'service',
    tags: ['Lookup'],
    summary: 'One service: its listing, its last check and our last 20 paid calls',
    description: 'JSON, or an HTML page if Accept prefers text/html. /v1/tasks lists the ids.',
    security: [],
    parameters: [{ ...SERVICE_ID, example: known.id, in: 'path', required: true }, IF_NONE_MATCH],
    responses: {
      200: {
        description: 'The service. Rates are computed over the listed paid calls.',
        headers: headerRefs('X-Request-Id', ...CACHED),
        content: {
          'application/json': mediaType({ service }),
          'text/html': PAGE,
        },
      },
      ...NOT_MODIFIED,
      ...problems(links, ['not_found', 'store_unavailable']),
    },
  };
}

function badge({ links, known }: Frame): JsonObject {
  return {
    operationId: 'badge',
    tags: ['Receipts'],
    summary: 'Badge with the latest verdict on a URL, for sellers; never probes',
    description:
      'The newest of the last live check, the last crawl and the last re-test by the owner, or unknown; by default with the listed method, else GET. Checks with claims of the caller do not count. An invalid URL gets an image too, with status 400.',
    security: [],
    parameters: [...exampled(BY_URL_QUERY, known), IF_NONE_MATCH],
    responses: {
      200: {
        description: 'The image.',
        headers: headerRefs('X-Request-Id', ...CACHED),
        content: { 'image/svg+xml': { schema: { type: 'string' }, example: '<svg xmlns=...' } },
      },
      400: {
        description: 'The URL is invalid. The body is an image that says so.',
        headers: headerRefs('X-Request-Id'),
        content: { 'image/svg+xml': { schema: { type: 'string' }, example: '<svg xmlns=...' } },
      },
      ...NOT_MODIFIED,
      ...problems(links, ['store_unavailable']),
    },
  };
}

function health({ links, examples: { health: answer } }: Frame): JsonObject {
  return {
    operationId: 'health',
    tags: ['Operation'],
    summary: 'Liveness of the process',
    description: 'Answers without reading the store.',
    security: [],
    responses: { ...ok('Alive.', { health: answer }, 'Cache-Control'), ...unlimitedProblems(links, []) },
  };
}

function readiness({ links, examples: { ready } }: Frame): JsonObject {
  return {
    operationId: 'readiness',
    tags: ['Operation'],
    summary: 'Readiness: not shutting down, and the store is writable and migrated',
    description: 'For load balancers: 503 as long as callers should go to another process.',
    security: [],
    responses: {
      ...ok('Ready.', { ready }, 'Cache-Control'),
      ...unlimitedProblems(links, ['store_unavailable', 'not_ready']),
    },
  };
}
