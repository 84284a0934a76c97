import { sql } from 'kysely';
import type { CursorPosition } from '../../../core/receipt/cursor.ts';
import { mondayOf, weeksLater } from '../../../core/receipt/iso-week.ts';
import type { ReceiptTime, ReceiptWeeks, StoredReceipt } from '../../../ports/live-receipts.ts';
import type { Dialect } from '../engine/dialect.ts';
import type { Queries } from '../engine/tables.ts';
import type { Writes } from '../engine/writes.ts';
import {
  coverWeeks,
  dropPartition,
  partitionedWeeks,
  partitionMark,
  partitionsBefore,
  tableOf,
} from './partitions.ts';

/** This week and the next four. */
const WEEKS_AHEAD = 5;

export function sqlReceiptWeeks(database: Queries, writes: Writes, dialect: Dialect): ReceiptWeeks {
  return {
    async prepare(now) {
      // SQLite has one tree for all weeks.
      if (!dialect.hasPartitions) return;
      const to = weeksLater(mondayOf(now), WEEKS_AHEAD);
      // Without a transaction, as nearly always.
      const there = await partitionedWeeks(database);
      if (to <= there.to) return;
      await writes.unit((queries) => coverWeeks(queries, dialect, { from: there.from, to }));
    },
    async oldest(since) {
      const times = await Promise.all(MODES.map((mode) => oldestOf(database, mode, since)));
      const known = times.filter((time) => time !== null);
      return known.length === 0 ? null : new Date(Math.min(...known));
    },
    read: (mode, time, above, limit) => readRows(database, mode, time, above, limit),
    droppable: async (before) => (dialect.hasPartitions ? partitionsBefore(database, before) : []),
    mark: (part) => partitionMark(database, part),
    drop: (part, mark) =>
      writes.unit((queries) => dropPartition(queries, dialect, part, mark), {
        keeps: (isDropped) => isDropped,
      }),
    async remove(ids) {
      if (ids.length === 0) return;
      await writes.one((queries) =>
        queries.deleteFrom('live_receipts').where(dialect.among('id', ids)).execute(),
      );
    },
    async ahead(most) {
      if (!dialect.hasPartitions) return 0;
      const { rows } = await sql<{ count: number }>`
        select count(*) AS count from (select from ${tableOf('later')} limit ${most}) AS seen`.execute(
        database,
      );
      return rows[0]?.count ?? 0;
    },
  };
}

const MODES = ['live', 'dry-run'] as const;

/** One index has both modes apart. */
async function oldestOf(
  database: Queries,
  mode: (typeof MODES)[number],
  since: Date,
): Promise<number | null> {
  const row = await database
    .selectFrom('live_receipts')
    .select('checked_at')
    .where('mode', '=', mode)
    .where('checked_at', '>=', since.getTime())
    .orderBy('checked_at')
    .limit(1)
    .executeTakeFirst();
  return row?.checked_at ?? null;
}

async function readRows(
  database: Queries,
  mode: (typeof MODES)[number],
  { from, to }: ReceiptTime,
  above: CursorPosition | null,
  limit: number,
): Promise<readonly StoredReceipt[]> {
  const start = { time: above?.checkedAt ?? from, id: above?.id ?? '' };
  const rows = await database
    .selectFrom('live_receipts')
    .select(['id', 'checked_at', 'body'])
    .where('mode', '=', mode)
    // Beside the pair, which prunes no partition.
    .where('checked_at', '>=', start.time.getTime())
    .where('checked_at', '<', to.getTime())
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('checked_at', 'id'), '>', tuple(start.time.getTime(), start.id)),
    )
    .orderBy('checked_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id, checked_at, body }) => ({ id, checkedAt: new Date(checked_at), body }));
}
