import { exampled } from '../examples/known-service.ts';
import { CACHED, type Frame, IF_NONE_MATCH, type Paths } from '../frame.ts';
import type { JsonObject } from '../json-schema.ts';
import { BY_URL_QUERY } from '../parameters.ts';
import { headerRefs } from '../response-headers.ts';
import { NOT_MODIFIED, ok, problems, unlimitedProblems } from '../responses.ts';
import { catalogPaths } from './catalog-paths.ts';
import { hostPaths } from './host-paths.ts';
import { receiptPaths } from './receipt-paths.ts';
import { skipsPaths } from './skips-paths.ts';
import { statementPaths } from './statement-paths.ts';

/** The free paths. */
export function freePaths(frame: Frame): Paths {
  return {
    ...skipsPaths(frame),
    ...receiptPaths(frame),
    ...statementPaths(frame),
    ...catalogPaths(frame),
    ...hostPaths(frame),
    '/badge.svg': { get: badge(frame) },
    '/healthz': { get: health(frame) },
    '/readyz': { get: readiness(frame) },
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
