import { snapshotJson } from '../../responses/snapshot-json.ts';
import type { Example } from '../examples/example.ts';
import { CHECKED_AT } from '../examples/example-values.ts';
import { CACHED, type Frame, IF_NONE_MATCH, linkTo, type Paths } from '../frame.ts';
import type { JsonObject } from '../json-schema.ts';
import { headerRefs } from '../response-headers.ts';
import { NOT_MODIFIED, ok, problems } from '../responses.ts';

const FILE = '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881';
const BEFORE = 'a1fce4363854ff888cff4b8e7875d600c2682390412a8cf79b37d0b11148b0fa';

/** The signed file of verdicts, its parts, and the way to it from the one before. */
export function snapshotPaths(frame: Frame): Paths {
  return {
    '/v1/snapshot': { get: latest(frame) },
    '/snapshot/{sha256}.bin': {
      get: bytes(frame, {
        operationId: 'snapshotFile',
        summary: 'The file of verdicts with this hash',
        parameters: [hash('sha256')],
      }),
    },
    '/snapshot/{sha256}/{part}.bin': {
      get: bytes(frame, {
        operationId: 'snapshotPart',
        summary: 'The head of a file, or one of its 256 shards',
        parameters: [hash('sha256'), PART],
      }),
    },
    '/snapshot/{from}-{to}.delta': {
      get: bytes(frame, {
        operationId: 'snapshotDelta',
        summary: 'What changed from one file to the next',
        parameters: [hash('from'), hash('to')],
      }),
    },
  };
}

function latest({ links }: Frame): JsonObject {
  const value = snapshotJson(
    {
      sha256: FILE,
      runId: '4f1c2d3e5a6b7c8d',
      crawledAt: new Date(CHECKED_AT),
      expiresAt: new Date('2026-11-29T12:00:00.000Z'),
      size: 36_527,
      manifest: `assay snapshot v1\nassay.example/log\n4f1c2d3e5a6b7c8d\n36527\n...`,
      deltaFrom: BEFORE,
      logIndex: 471,
    },
    links,
  );
  const snapshot: Example = { shape: 'Snapshot', summary: 'The latest snapshot', value };
  const { 200: answer } = ok('The latest snapshot.', { snapshot }, ...CACHED);
  return {
    operationId: 'snapshot',
    tags: ['Receipts'],
    summary: 'A signed file of the verdicts of the latest crawl',
    description:
      'For buyers that compare a 402 without revealing which URL they are about to pay. A pay in it is not an approval: it says that these terms passed on that day.',
    security: [],
    parameters: [IF_NONE_MATCH],
    responses: {
      200: { ...answer, links: LINKS },
      ...NOT_MODIFIED,
      ...problems(links, ['not_found', 'store_unavailable']),
    },
  };
}

const LINKS: JsonObject = {
  snapshotFile: linkTo('snapshotFile', 'sha256', '/sha256'),
  snapshotPart: linkTo('snapshotPart', 'sha256', '/sha256'),
  snapshotDelta: {
    operationId: 'snapshotDelta',
    parameters: { from: '$response.body#/delta/from', to: '$response.body#/sha256' },
  },
};

interface BytesOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly JsonObject[];
}

function bytes({ links }: Frame, { operationId, summary, parameters }: BytesOperation): JsonObject {
  return {
    operationId,
    tags: ['Receipts'],
    summary,
    description: 'Never changes. Only the latest two files are there.',
    security: [],
    parameters: [...parameters, IF_NONE_MATCH],
    responses: {
      200: {
        description: 'The bytes.',
        headers: headerRefs('X-Request-Id', ...CACHED),
        content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
      },
      ...NOT_MODIFIED,
      ...problems(links, ['not_found', 'store_unavailable']),
    },
  };
}

function hash(name: 'sha256' | 'from' | 'to'): JsonObject {
  const description = name === 'from' ? 'delta.from of /v1/snapshot.' : 'sha256 of /v1/snapshot.';
  const schema = { type: 'string', pattern: '^[0-9a-f]{64}$' };
  return { name, in: 'path', required: true, description, schema };
}

const PART: JsonObject = {
  name: 'part',
  in: 'path',
  required: true,
  description: 'head, or the first byte of the keys in a shard, 00 to ff.',
  schema: { type: 'string', pattern: '^(head|[0-9a-f]{2})$' },
  example: '7f',
};
