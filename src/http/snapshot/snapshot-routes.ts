import { type LatestSnapshotPorts, latestSnapshot } from '../../flows/snapshot/latest-snapshot.ts';
import { wholeSnapshot } from '../../flows/snapshot/whole-snapshot.ts';
import type { KeptSnapshot, SnapshotPart, SnapshotStore } from '../../ports/snapshot/snapshots.ts';
import { snapshotJson } from '../../wire/responses/snapshot-json.ts';
import type { Routes } from '../app.ts';
import {
  answerProblem,
  answerRendered,
  type Handler,
  type Rendered,
  renderedJson,
} from '../exchange/answer.ts';
import { FOR_A_MINUTE, FOR_EVER } from '../exchange/caching.ts';
import { createRenderedCache, type RenderedCache } from '../exchange/rendered-cache.ts';

const BINARY = 'application/octet-stream';
/** Two files of a million endpoints. */
const KEPT_BYTES = 40_000_000;

export interface SnapshotRouteParts extends LatestSnapshotPorts {
  readonly snapshots: SnapshotStore;
}

/** The signed file of verdicts: what is there, the file, its parts, and the way to it from the one before. */
export function snapshotRoutes({ snapshots, transparencyLog }: SnapshotRouteParts): Routes {
  const kept = createRenderedCache<Rendered | null>({ maxBytes: KEPT_BYTES });
  return {
    '/v1/snapshot': { GET: latestRoute({ snapshots, transparencyLog }) },
    '/snapshot/:id{.+}': { GET: bytesRoute(snapshots, kept) },
  };
}

function latestRoute(ports: LatestSnapshotPorts): Handler {
  return async (exchange) => {
    const latest = await latestSnapshot(ports);
    if (latest === null) return answerProblem(exchange, NOT_YET);
    return answerRendered(exchange, renderedJson(snapshotJson(latest, exchange.links), FOR_A_MINUTE));
  };
}

const NOT_YET = {
  code: 'not_found',
  detail: 'There is no snapshot yet: no crawl has been published.',
} as const;
const NO_SUCH_FILE = {
  code: 'not_found',
  detail: 'No such file; /v1/snapshot names the current ones.',
} as const;

function bytesRoute(snapshots: SnapshotStore, kept: RenderedCache<Rendered | null>): Handler {
  return async (exchange, name) => {
    exchange.facts.route = '/snapshot';
    const wanted = readName(name);
    // Asked each time, whatever is kept: a file may be withdrawn.
    const snapshot = wanted === null ? null : await snapshots.find(wanted.sha256);
    if (wanted === null || snapshot === null || !isServed(snapshot, wanted))
      return answerProblem(exchange, NO_SUCH_FILE);
    const bytes = await kept(name, () => render(name, wanted, snapshots));
    return bytes === null ? answerProblem(exchange, NO_SUCH_FILE) : answerRendered(exchange, bytes);
  };
}

interface Wanted {
  readonly sha256: string;
  readonly part: SnapshotPart | 'all';
  /** Of a delta, the file that it starts from. */
  readonly from: string | null;
}

const NAME =
  /^(?:(?<whole>[0-9a-f]{64})\.bin|(?<file>[0-9a-f]{64})\/(?<part>[0-9a-f]{2}|head)\.bin|(?<from>[0-9a-f]{64})-(?<to>[0-9a-f]{64})\.delta)$/;

function readName(name: string): Wanted | null {
  const { whole, file, part, from = null, to } = NAME.exec(name)?.groups ?? {};
  if (whole !== undefined) return { sha256: whole, part: 'all', from };
  if (to !== undefined) return { sha256: to, part: 'delta', from };
  if (file === undefined || part === undefined) return null;
  return { sha256: file, part: part === 'head' ? part : Number.parseInt(part, 16), from };
}

function isServed({ deltaFrom }: KeptSnapshot, { from }: Wanted): boolean {
  return from === null || from === deltaFrom;
}

async function render(
  name: string,
  { sha256, part }: Wanted,
  snapshots: SnapshotStore,
): Promise<Rendered | null> {
  const body = part === 'all' ? await wholeSnapshot(sha256, snapshots) : await snapshots.part(sha256, part);
  if (body === null) return null;
  // The name has the hash of the file, so the bytes need not be hashed for a tag.
  return { body, headers: { 'content-type': BINARY, etag: `"${name}"`, ...FOR_EVER } };
}
