import { RULES_VERSION } from '../../../core/verdict/verdict.ts';
import { CACHED, type Frame, IF_NONE_MATCH, type Paths } from '../frame.ts';
import type { JsonObject } from '../json-schema.ts';
import { RECEIPT_ID_IN_PATH } from '../parameters.ts';
import { headerRefs } from '../response-headers.ts';
import { NOT_MODIFIED, ok, problems } from '../responses.ts';

/** What anybody needs to judge a receipt again. */
export function statementPaths(frame: Frame): Paths {
  return {
    '/v1/receipts/{id}/statement': { get: statement(frame) },
    '/v1/receipts/{id}/proof': { get: proof(frame) },
    '/v1/receipts/{id}/proof.tlog-proof': { get: bareProof(frame) },
    '/log/rules/{version}.mjs': { get: rules(frame) },
    '/log/policy': {
      get: logFile(frame, {
        operationId: 'logPolicy',
        summary: 'The keys of the log, its witnesses and the quorum, as a c2sp.org/tlog-policy',
        description: 'Keep a copy: a verifier needs it, and should not fetch it from us every time.',
        example: 'log assay.example.org/log+3c1bdead+AT... https://assay.example.org/log\nquorum none\n',
      }),
    },
    '/log/checkpoint': {
      get: logFile(frame, {
        operationId: 'logCheckpoint',
        summary: 'The signed size and root of the log, as a c2sp.org/tlog-checkpoint',
        description:
          'Tiles of hashes and bundles of entries are beside it, as c2sp.org/tlog-tiles says: /log/tile/{level}/{index} and /log/tile/entries/{index}. /log/statements/{n} has the statements behind bundle n, one a line. A later epoch is at /log/2, the receipts of a crawl at /log/run/{id}.',
        example: 'assay.example.org/log\n471\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n',
      }),
    },
  };
}

function proof({ links, examples: { proof: answer } }: Frame): JsonObject {
  return {
    operationId: 'receiptProof',
    tags: ['Receipts'],
    summary: 'One file that verifies a receipt offline: its statement and the proof that it is in the log',
    description:
      'Typically there two seconds after the check. assay receipt FILE --verify checks it without asking us.',
    security: [],
    parameters: [RECEIPT_ID_IN_PATH, IF_NONE_MATCH],
    responses: {
      ...ok('The proof.', { proof: answer }, ...CACHED),
      ...NOT_MODIFIED,
      ...problems(links, PROOF_PROBLEMS),
    },
  };
}

const PROOF_PROBLEMS = ['not_found', 'not_logged_yet', 'withdrawn', 'retired', 'store_unavailable'] as const;

function bareProof({ links }: Frame): JsonObject {
  return {
    operationId: 'receiptTlogProof',
    tags: ['Receipts'],
    summary: 'The proof alone, as a c2sp.org/tlog-proof',
    description: 'For tools that know this format; the statement is at /v1/receipts/{id}/statement.',
    security: [],
    parameters: [RECEIPT_ID_IN_PATH, IF_NONE_MATCH],
    responses: {
      ...textFile('The proof.', 'c2sp.org/tlog-proof@v1\nindex 470\n'),
      ...NOT_MODIFIED,
      ...problems(links, PROOF_PROBLEMS),
    },
  };
}

interface LogFile {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly example: string;
}

function logFile({ links }: Frame, { example, ...operation }: LogFile): JsonObject {
  return {
    ...operation,
    tags: ['Receipts'],
    security: [],
    parameters: [IF_NONE_MATCH],
    responses: {
      ...textFile('The file.', example),
      ...NOT_MODIFIED,
      ...problems(links, ['not_found', 'store_unavailable']),
    },
  };
}

function textFile(description: string, example: string): JsonObject {
  return {
    200: {
      description,
      headers: headerRefs('X-Request-Id', ...CACHED),
      content: { 'text/plain': { schema: { type: 'string' }, example } },
    },
  };
}

function statement({ links, examples: { statement: answer } }: Frame): JsonObject {
  return {
    operationId: 'receiptStatement',
    tags: ['Receipts'],
    summary: 'The statement of a receipt: what it says and all that was seen, as the bytes that were stored',
    description:
      'One line of canonical JSON (RFC 8785). The ETag is the SHA-256 of the bytes. Judge it again with the rules file of its version; a receipt of a release without statements has none.',
    security: [],
    parameters: [RECEIPT_ID_IN_PATH, IF_NONE_MATCH],
    responses: {
      ...ok('The statement.', { statement: answer }, ...CACHED),
      ...NOT_MODIFIED,
      ...problems(links, ['not_found', 'no_statement', 'withdrawn', 'retired', 'store_unavailable']),
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
        headers: headerRefs('X-Request-Id', ...CACHED),
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
  description: 'rules of a statement, or rules_version of a receipt.',
  schema: { type: 'string', pattern: '^[0-9]{1,6}$' },
  example: RULES_VERSION,
};
