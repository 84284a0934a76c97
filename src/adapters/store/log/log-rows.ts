import type { LogHead, Published } from '../../../ports/log/transparency-log.ts';
import type { Dialect } from '../engine/dialect.ts';
import type { LogHeadRow } from '../engine/log-tables.ts';
import type { Queries } from '../engine/tables.ts';

export function headOf(row: LogHeadRow): LogHead {
  const { tree, origin, key, size, checkpoint } = row;
  return {
    tree,
    origin,
    key,
    size,
    root: Buffer.from(row.root, 'base64'),
    checkpoint,
    published: publishedOf(row.published_size, row.published),
    cosigned: publishedOf(row.cosigned_size, row.cosigned),
  };
}

function publishedOf(size: number | null, note: string | null): Published | null {
  return size === null || note === null ? null : { size, note };
}

/** The newest epoch. */
export async function currentHead(queries: Queries): Promise<LogHead | null> {
  const row = await queries
    .selectFrom('log_heads')
    .selectAll()
    .where('epoch', 'is not', null)
    .orderBy('epoch', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : headOf(row);
}

export interface EntryStatements {
  /** Adds an entry that waits for its place. One that is there stays. */
  insert(queries: Queries, id: string, entry: string): Promise<void>;
  /** The same, and fails for an id that is taken. */
  insertNew(queries: Queries, id: string, entry: string): Promise<void>;
}

/** The time is the store's, because the clocks of processes differ. */
export function entryInsert({ clockText }: Dialect): string {
  return `insert into log_entries (id, entry, queued_at) values (?, ?, ${clockText})`;
}

export function entryStatements(dialect: Dialect): EntryStatements {
  const insertNew = dialect.statement('add_new_log_entry', entryInsert(dialect));
  const insert = dialect.statement('add_log_entry', `${entryInsert(dialect)} on conflict (id) do nothing`);
  return {
    async insert(queries, id, entry) {
      await queries.executeQuery(insert([id, entry]));
    },
    async insertNew(queries, id, entry) {
      await queries.executeQuery(insertNew([id, entry]));
    },
  };
}
