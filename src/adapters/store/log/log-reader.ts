import { sql } from 'kysely';
import { runReceiptEntry } from '../../../core/log/entry.ts';
import { runOfTree } from '../../../core/log/run-tree.ts';
import type { LogBacklog, LogReader, Placed } from '../../../ports/log/transparency-log.ts';
import type { Dialect } from '../engine/dialect.ts';
import type { Queries } from '../engine/tables.ts';
import { currentHead, headOf } from './log-rows.ts';
import { runRows } from './run-rows.ts';

const HASH_BYTES = 32;

export function sqlLogReader(database: Queries, dialect: Dialect): LogReader {
  const runs = runRows(database);
  return {
    ...runs,
    current: () => currentHead(database),
    async head(tree) {
      const row = await database
        .selectFrom('log_heads')
        .selectAll()
        .where('tree', '=', tree)
        .executeTakeFirst();
      return row === undefined ? null : headOf(row);
    },
    async epochs() {
      const rows = await database
        .selectFrom('log_heads')
        .selectAll()
        .where('epoch', 'is not', null)
        .orderBy('epoch')
        .execute();
      return rows.map(headOf);
    },
    async runHeads() {
      const rows = await database
        .selectFrom('log_heads')
        .selectAll()
        .where('epoch', 'is', null)
        .orderBy('tree')
        .execute();
      return rows.map(headOf);
    },
    async tile(tree, { level, index, width }) {
      const row = await database
        .selectFrom('log_tiles')
        // The tiles of a run that is not published may still change.
        .innerJoin('log_heads', 'log_heads.tree', 'log_tiles.tree')
        .select('tile')
        .where('log_tiles.tree', '=', tree)
        .where('level', '=', level)
        .where('n', '=', index)
        .executeTakeFirst();
      const bytes = width * HASH_BYTES;
      return row === undefined || row.tile.byteLength < bytes ? null : row.tile.subarray(0, bytes);
    },
    async entries(tree, from, count) {
      const runId = runOfTree(tree);
      if (runId !== null) {
        const hashes = await runs.runEntries(runId, from, count);
        return hashes.map((sha256, at) => ({ tree, index: from + at, entry: runReceiptEntry(sha256) }));
      }
      const rows = await database
        .selectFrom('log_entries')
        .select(['entry', 'seq'])
        .where('tree', '=', tree)
        .where('seq', '>=', from)
        .where('seq', '<', from + count)
        .orderBy('seq')
        .execute();
      return rows.flatMap(({ entry, seq }) => (seq === null ? [] : [{ tree, index: seq, entry }]));
    },
    place: (id) => placeOf(database, id),
    backlog: () => backlogOf(database, dialect),
  };
}

async function placeOf(database: Queries, id: string): Promise<Placed | 'waiting' | null> {
  const row = await database
    .selectFrom('log_entries')
    .select(['tree', 'seq', 'entry'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { tree, seq, entry } = row;
  return tree === null || seq === null ? 'waiting' : { tree, index: seq, entry };
}

async function backlogOf(database: Queries, dialect: Dialect): Promise<LogBacklog> {
  const row = await database
    .selectFrom('log_entries')
    .where('seq', 'is', null)
    // The first entry of an epoch is queued at 0, before everything else: that is no time.
    .select(({ fn }) => [
      fn.countAll<number>().as('entries'),
      fn.min(sql<number | null>`nullif(queued_at, 0)`).as('oldest'),
    ])
    .select(dialect.clock.as('now'))
    .executeTakeFirstOrThrow();
  const oldestMs = row.oldest === null ? null : Math.max(0, Number(row.now) - Number(row.oldest));
  return { entries: Number(row.entries), oldestMs };
}
