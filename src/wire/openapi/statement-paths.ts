import type { JsonObject } from './component-schemas.ts';
import { type Frame, type Paths, parameterRef } from './frame.ts';
import { RECEIPT_ID } from './parameters.ts';
import { headerRefs } from './response-headers.ts';
import { NOT_MODIFIED, ok, problems } from './responses.ts';

const IF_NONE_MATCH = parameterRef('IfNoneMatch');

/** What anybody needs to judge a receipt again. */
export function statementPaths(frame: Frame): Paths {
  return {
    '/v1/receipts/{id}/statement': { get: statement(frame) },
    '/log/rules/{version}.mjs': { get: rules(frame) },
  };
}

function statement({ links, examples: { statement: answer } }: Frame): JsonObject {
  return {
    operationId: 'receiptStatement',
    tags: ['Receipts'],
    summary: 'The statement of a receipt: what it says and all that was seen, as the bytes that were stored',
    description:
      'One line of canonical JSON (RFC 8785). The ETag is the SHA-256 of the bytes. Judge it again with the rules file of its version; a receipt from before there were statements has none.',
    security: [],
    parameters: [{ ...RECEIPT_ID, in: 'path', required: true }, IF_NONE_MATCH],
    responses: {
      ...ok('The statement.', { statement: answer }, 'ETag', 'Cache-Control'),
      ...NOT_MODIFIED,
      ...problems(links, ['not_found', 'no_statement', 'store_unavailable']),
    },
  };
}

function rules({ links }: Frame): JsonObject {
  return {
    operationId: 'rulesFile',
    tags: ['Receipts'],
    summary: 'The rules of one version as an ES module without dependencies',
    description:
      'Exports version and judgeAgain(statement): an empty list where verdict, words and terms follow from what was seen, else each member that does not; not_checkable or unreadable otherwise.',
    security: [],
    parameters: [VERSION, IF_NONE_MATCH],
    responses: {
      200: {
        description: 'The module.',
        headers: headerRefs('X-Request-Id', 'ETag', 'Cache-Control'),
        content: {
          'text/javascript': { schema: { type: 'string' }, example: 'export { judgeAgain, version };' },
        },
      },
      ...NOT_MODIFIED,
      ...problems(links, ['not_found']),
    },
  };
}

const VERSION = {
  name: 'version',
  in: 'path',
  required: true,
  description: 'The rules of a statement.',
  schema: { type: 'string', pattern: '^[0-9]{1,6}$' },
  example: '4',
};
