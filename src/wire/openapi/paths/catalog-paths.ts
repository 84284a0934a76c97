import { exampled } from '../examples/known-service.ts';
import { CACHED, type Frame, IF_NONE_MATCH, type Paths } from '../frame.ts';
import type { JsonObject } from '../json-schema.ts';
import { SERVICE_ID, SERVICES_QUERY } from '../parameters.ts';
import { headerRefs } from '../response-headers.ts';
import { HTML_PAGE, mediaType, NOT_MODIFIED, ok, problems } from '../responses.ts';

/** The catalog, without a ranking. */
export function catalogPaths(frame: Frame): Paths {
  return {
    '/v1/tasks': { get: tasks(frame) },
    '/v1/services': { get: services(frame) },
    '/v1/services/{id}': { get: serviceById(frame) },
  };
}

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
          'text/html': HTML_PAGE,
        },
      },
      ...NOT_MODIFIED,
      ...problems(links, ['not_found', 'store_unavailable']),
    },
  };
}
