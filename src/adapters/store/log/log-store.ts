import { sql } from 'kysely';
import { inBatches } from '../../../core/concurrency/in-batches.ts';
import { encodeBase64 } from '../../../core/log/base64.ts';
import { edgeTiles } from '../../../core/log/tile.ts';
import { EMPTY_ROOT } from '../../../core/log/tree-hash.ts';
import type {
  Appended,
  Grown,
  LogHead,
  LogStore,
  NewEntry,
  StoredTile,
  Waiting,
} from '../../../ports/log/transparency-log.ts';
import type { Dialect } from '../engine/dialect.ts';
import { insertRows } from '../engine/insert-rows.ts';
import type { Queries } from '../engine/tables.ts';
import type { Writes } from '../engine/writes.ts';
import { sqlLogReader } from './log-reader.ts';
import { currentHead, type EntryStatements, headOf } from './log-rows.ts';

export function sqlLog(
  database: Queries,
  writes: Writes,
  dialect: Dialect,
  statements: EntryStatements,
): LogStore {
  const reader = sqlLogReader(database, dialect);
  return {
    ...reader,
    add: (entries) => writes.unit((queries) => addAll(queries, statements, entries)),
    open: (first) =>
      writes.unit(
        async (queries) => {
          await dialect.waitForTurn(queries, EPOCHS);
          return (await currentHead(queries)) ?? beginTree(queries, 1, first);
        },
        { look: currentHead },
      ),
    append: (limit, grow) =>
      writes.unit((queries) => append(queries, dialect, limit, grow), {
        look: async (queries) => ((await isIdle(queries)) ? NOTHING : null),
        keeps: ({ kind }) => kind === 'appended',
      }),
    changeKeys: (tree, from, to, entry) =>
      writes.unit(async (queries) => {
        const { numUpdatedRows } = await queries
          .updateTable('log_heads')
          .set({ key: to })
          .where('tree', '=', tree)
          .where('key', '=', from)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 1n && entry !== null) await statements.insert(queries, entry.id, entry.entry);
      }),
    async publish(tree, { size, note }, isCosigned) {
      const cosigned = isCosigned ? { cosigned_size: size, cosigned: note } : {};
      // Characters, as both databases count them.
      const room = [...note].length + (isCosigned ? 1 : 0);
      await writes.one((queries) =>
        queries
          .updateTable('log_heads')
          .set({ published_size: size, published: note, ...cosigned })
          .where('tree', '=', tree)
          .where(({ eb, or, and }) =>
            or([
              eb('published_size', 'is', null),
              eb('published_size', '<', size),
              // Two processes may have asked different witnesses: a note with fewer lines does not replace one with more.
              and([eb('published_size', '=', size), sql<boolean>`length(published) < ${room}`]),
            ]),
          )
          .execute(),
      );
    },
    beginEpoch: (next, first) =>
      writes.unit(async (queries) => {
        await dialect.waitForTurn(queries, EPOCHS);
        const last = await lockHead(queries, dialect.forUpdate);
        if (last !== null) await publishLast(queries, last);
        const head = await beginTree(queries, Number(last?.tree ?? 0) + 1, next);
        // Before everything else that waits.
        await queries
          .insertInto('log_entries')
          .values({ ...first(last), queued_at: 0, tree: null, seq: null })
          .execute();
        return head;
      }),
    keepTiles: (tree, tiles) => writes.unit((queries) => keepTiles(queries, dialect, tree, tiles)),
  };
}

/** Nobody would publish it later: an epoch that goes on behind its last checkpoint could not be read to its end. */
async function publishLast(queries: Queries, { tree, size, checkpoint, published }: LogHead): Promise<void> {
  if (checkpoint === null || (published?.size ?? 0) >= size) return;
  await queries
    .updateTable('log_heads')
    .set({ published_size: size, published: checkpoint })
    .where('tree', '=', tree)
    .execute();
}

const EPOCHS = 'epochs of the log';
const NOTHING: Appended = { kind: 'nothing_waits' };

async function isIdle(queries: Queries): Promise<boolean> {
  const row = await queries
    .selectFrom('log_entries')
    .select('id')
    .where('seq', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row === undefined;
}

async function addAll(
  queries: Queries,
  { insert }: EntryStatements,
  entries: readonly NewEntry[],
): Promise<void> {
  for (const { id, entry } of entries) await insert(queries, id, entry);
}

async function beginTree(
  queries: Queries,
  epoch: number,
  { origin, key }: Pick<LogHead, 'origin' | 'key'>,
): Promise<LogHead> {
  const row = {
    tree: String(epoch),
    epoch,
    origin,
    key,
    size: 0,
    root: encodeBase64(EMPTY_ROOT),
    checkpoint: null,
    published_size: null,
    published: null,
    cosigned_size: null,
    cosigned: null,
  };
  await queries.insertInto('log_heads').values(row).execute();
  return headOf(row);
}

/** The row lock of the head is the only fence: a process that waits too long loses the transaction and with it the lock. */
async function append(
  queries: Queries,
  dialect: Dialect,
  limit: number,
  grow: (waiting: Waiting) => Grown,
): Promise<Appended> {
  const head = await lockHead(queries, dialect.forUpdateSkipLocked);
  if (head === null) return { kind: 'busy' };
  const rows = await queries
    .selectFrom('log_entries')
    .select(['id', 'entry', 'queued_at'])
    .where('seq', 'is', null)
    .orderBy('queued_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  if (rows.length === 0) return NOTHING;
  const edge = await edgeOf(queries, head);
  const grown = grow({ head, edge, entries: rows.map(({ entry }) => entry) });
  const placed = rows.map((row, place) => ({ ...row, tree: head.tree, seq: head.size + place }));
  await insertRows(queries, dialect, PLACED, placed);
  await keepTiles(queries, dialect, head.tree, grown.tiles);
  const { size, root, checkpoint } = grown;
  await queries
    .updateTable('log_heads')
    .set({ size, root: encodeBase64(root), checkpoint })
    .where('tree', '=', head.tree)
    .execute();
  return { kind: 'appended', head: { ...head, size, root, checkpoint }, isMore: rows.length === limit };
}

const PLACED = {
  table: 'log_entries',
  columns: ['id', 'entry', 'queued_at', 'tree', 'seq'],
  onConflict: '(id) do update set tree = excluded.tree, seq = excluded.seq',
} as const;

/** The newest epoch, locked. Null when another process has it, or has begun a newer one meanwhile. */
async function lockHead(queries: Queries, lock: Dialect['forUpdate']): Promise<LogHead | null> {
  const newest = await currentHead(queries);
  if (newest === null) return null;
  // By its name: `skip locked` over all epochs would answer an older one.
  const row = await queries
    .selectFrom('log_heads')
    .selectAll()
    .where('tree', '=', newest.tree)
    .modifyEnd(lock)
    .executeTakeFirst();
  if (row === undefined) return null;
  const isNewest = (await currentHead(queries))?.tree === row.tree;
  return isNewest ? headOf(row) : null;
}

async function edgeOf(
  queries: Queries,
  { tree, size }: Pick<LogHead, 'tree' | 'size'>,
): Promise<ReadonlyMap<number, Uint8Array>> {
  const edge = new Map<number, Uint8Array>();
  for (const { level, index, width } of edgeTiles(size)) {
    const { rows } = await sql<{ tile: Uint8Array }>`
      select tile from log_tiles where tree = ${tree} and level = ${level} and n = ${index}`.execute(queries);
    const bytes = rows[0]?.tile;
    if (bytes === undefined || bytes.byteLength !== width * HASH_BYTES) {
      throw new Error(`tile ${level}/${index} of the log is not what its head says`);
    }
    edge.set(level, bytes);
  }
  return edge;
}

const HASH_BYTES = 32;
const TILES_A_STATEMENT = 100;

async function keepTiles(
  queries: Queries,
  dialect: Dialect,
  tree: string,
  tiles: readonly StoredTile[],
): Promise<void> {
  for (const batch of inBatches(tiles, TILES_A_STATEMENT)) {
    const rows = batch.map(({ tile, bytes }) => ({ tree, level: tile.level, n: tile.index, tile: bytes }));
    await insertRows(queries, dialect, TILES, rows);
  }
}

const TILES = {
  table: 'log_tiles',
  columns: ['tree', 'level', 'n', 'tile'],
  onConflict: '(tree, level, n) do update set tile = excluded.tile',
} as const;
