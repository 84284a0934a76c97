import type { TreeHead } from './checkpoint.ts';
import { parseBundle } from './entry-bundle.ts';
import { type GrownTree, growTree } from './grow-tree.ts';
import { type CheckpointFault, type Cosigned, openCheckpoint } from './open-checkpoint.ts';
import type { Policy } from './policy.ts';
import { edgeTiles, entriesPath, TILE_WIDTH, type Tile, tileAt, tilePath } from './tile.ts';
import { EMPTY_ROOT, HASH_BYTES, type Hash, hashLeaf, isSameBytes } from './tree-hash.ts';

export interface AuditRequest {
  /** Null when the log has no such file; rejects when nobody can tell. The path is relative to the log's prefix. */
  readonly fetchFile: (path: string) => Promise<Uint8Array | null>;
  readonly policy: Policy;
  /** Of a tree that is not named after its key. */
  readonly origin?: string;
  /** A head of this log from before, as its client remembers it. */
  readonly old?: TreeHead;
  /** Files fetched at the same time. */
  readonly filesAtOnce: number;
  readonly sizeMax: number;
  /** In the order of the log. An entry is part of it only if the audit ends without faults. */
  readonly onEntry?: (entry: Uint8Array, index: number) => void | Promise<void>;
}

export interface AuditFault {
  readonly kind:
    | `checkpoint_${CheckpointFault | 'missing'}`
    | 'log_too_large'
    | 'log_shrank'
    | 'history_rewritten'
    | 'file_missing'
    | 'bundle_malformed'
    | 'tile_differs'
    | 'root_differs';
  /** The file at fault. */
  readonly path: string;
}

export interface AuditReport {
  /** The signed note as the log served it: evidence, whatever it says. */
  readonly checkpoint: string | null;
  /** Null when the checkpoint proves nothing. */
  readonly head: TreeHead | null;
  readonly cosigned: readonly Cosigned[];
  /** Empty: the log is sound. At most 100. */
  readonly faults: readonly AuditFault[];
}

const CHECKPOINT = 'checkpoint';
const FAULTS_MAX = 100;

/**
 * Reads a whole log, builds its tree again from the entries, and compares every tile and the root. A tile that no proof happens to
 * use can be wrong for years; a consistent root with other entries below it has happened to logs in production.
 */
export async function auditLog(request: AuditRequest): Promise<AuditReport> {
  const { policy, origin, old, sizeMax } = request;
  const note = decodeText(await request.fetchFile(CHECKPOINT));
  const opened = note === null ? 'missing' : openCheckpoint(note, policy, origin);
  if (typeof opened === 'string') {
    const fault: AuditFault = { kind: `checkpoint_${opened}`, path: CHECKPOINT };
    return { checkpoint: note, head: null, cosigned: [], faults: [fault] };
  }
  const { head, cosigned } = opened;
  const report = (faults: readonly AuditFault[]) => ({ checkpoint: note, head, cosigned, faults });
  const remembered = old ?? head;
  if (remembered.origin !== head.origin)
    return report([{ kind: 'checkpoint_wrong_origin', path: CHECKPOINT }]);
  if (head.size > sizeMax) return report([{ kind: 'log_too_large', path: CHECKPOINT }]);
  if (remembered.size > head.size) return report([{ kind: 'log_shrank', path: CHECKPOINT }]);
  const faults: AuditFault[] = [];
  for await (const fault of findFaults(head, request)) {
    faults.push(fault);
    if (faults.length === FAULTS_MAX) break;
  }
  return report(faults);
}

async function* findFaults(head: TreeHead, request: AuditRequest): AsyncGenerator<AuditFault, void> {
  const { old, onEntry } = request;
  let grown: Pick<GrownTree, 'size' | 'edge' | 'root'> = { size: 0, edge: new Map(), root: EMPTY_ROOT };
  const count = Math.ceil(head.size / TILE_WIDTH);
  for await (const part of inOrder(count, request.filesAtOnce, (index) =>
    readPart(index, head.size, request),
  )) {
    yield* part.faults;
    // Without leaves nothing further right can be compared.
    if (part.leaves === null) return;
    for (const [at, entry] of part.entries.entries()) await onEntry?.(entry, grown.size + at);
    if (!isPrefix(old, grown, part.leaves)) yield { kind: 'history_rewritten', path: CHECKPOINT };
    const next = growTree(grown.size, grown.edge, part.leaves);
    for (const { tile, bytes } of next.tiles) {
      if (tile.level > 0 && tile.width === TILE_WIDTH) yield* compareTile(tile, bytes, request);
    }
    grown = next;
  }
  for (const tile of edgeTiles(head.size).filter(({ level }) => level > 0)) {
    yield* compareTile(tile, grown.edge.get(tile.level) ?? new Uint8Array(), request);
  }
  if (!isSameBytes(grown.root, head.root)) yield { kind: 'root_differs', path: CHECKPOINT };
}

/** True as well when the old tree ends elsewhere than among these leaves. */
function isPrefix(
  old: TreeHead | undefined,
  { size, edge }: Pick<GrownTree, 'size' | 'edge'>,
  leaves: readonly Hash[],
): boolean {
  const more = (old?.size ?? 0) - size;
  if (old === undefined || more <= 0 || more > leaves.length) return true;
  return isSameBytes(growTree(size, edge, leaves.slice(0, more)).root, old.root);
}

interface Part {
  /** Hashes of the entries; of the tile where the bundle is unusable, so that one bad file does not hide the others. */
  readonly leaves: readonly Hash[] | null;
  readonly entries: readonly Uint8Array[];
  readonly faults: readonly AuditFault[];
}

/** A bundle and the tile of its leaf hashes, one after the other. */
async function readPart(index: number, size: number, { fetchFile }: AuditRequest): Promise<Part> {
  const tile = tileAt(0, index, size);
  const path = entriesPath(index, tile.width);
  const bundle = await fetchWidest(tile.width, (width) => fetchFile(entriesPath(index, width)));
  const entries = bundle === null ? null : parseBundle(bundle.bytes, bundle.width)?.slice(0, tile.width);
  const leaves = entries?.map(hashLeaf) ?? null;
  const hashes = await fetchTile(tile, fetchFile);
  const faults: AuditFault[] = [];
  if (entries === null) faults.push({ kind: 'file_missing', path });
  if (entries === undefined) faults.push({ kind: 'bundle_malformed', path });
  faults.push(...tileFaults(tile, hashes, leaves === null ? null : Buffer.concat(leaves)));
  return { leaves: leaves ?? splitHashes(hashes, tile.width), entries: entries ?? [], faults };
}

async function* compareTile(
  tile: Tile,
  expected: Uint8Array,
  { fetchFile }: AuditRequest,
): AsyncGenerator<AuditFault, void> {
  yield* tileFaults(tile, await fetchTile(tile, fetchFile), expected);
}

function tileFaults(tile: Tile, found: Uint8Array | null, expected: Uint8Array | null): AuditFault[] {
  const path = tilePath(tile);
  if (found === null) return [{ kind: 'file_missing', path }];
  const isWell = expected === null ? found.length === tile.width * HASH_BYTES : isSameBytes(found, expected);
  return isWell ? [] : [{ kind: 'tile_differs', path }];
}

async function fetchTile(tile: Tile, fetchFile: AuditRequest['fetchFile']): Promise<Uint8Array | null> {
  const found = await fetchWidest(tile.width, (width) => fetchFile(tilePath({ ...tile, width })));
  if (found === null || found.width === tile.width) return found?.bytes ?? null;
  return found.bytes.length === TILE_WIDTH * HASH_BYTES
    ? found.bytes.subarray(0, tile.width * HASH_BYTES)
    : found.bytes;
}

/** A log may drop a partial file as soon as it has the full one. */
async function fetchWidest(
  width: number,
  fetchWidth: (width: number) => Promise<Uint8Array | null>,
): Promise<{ bytes: Uint8Array; width: number } | null> {
  for (const wanted of new Set([width, TILE_WIDTH])) {
    const bytes = await fetchWidth(wanted);
    if (bytes !== null) return { bytes, width: wanted };
  }
  return null;
}

function splitHashes(bytes: Uint8Array | null, count: number): Hash[] | null {
  if (bytes?.length !== count * HASH_BYTES) return null;
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES));
}

/** Loads ahead, so many at a time; one fewer while the caller works on a result. */
async function* inOrder<T>(
  count: number,
  atOnce: number,
  load: (index: number) => Promise<T>,
): AsyncGenerator<T, void> {
  const loading: Promise<T>[] = [];
  for (let next = 0; next < count || loading.length > 0; ) {
    for (; next < count && (loading.length === 0 || loading.length < atOnce); next += 1) {
      const one = load(next);
      // Awaited below; a caller that stops early must not leave a rejection unhandled.
      one.catch(() => undefined);
      loading.push(one);
    }
    const [first] = loading.splice(0, 1);
    if (first !== undefined) yield await first;
  }
}

/** Empty, and so malformed, unless the bytes are UTF-8. */
function decodeText(bytes: Uint8Array | null): string | null {
  if (bytes === null) return null;
  const text = Buffer.from(bytes).toString();
  return isSameBytes(Buffer.from(text), bytes) ? text : '';
}
