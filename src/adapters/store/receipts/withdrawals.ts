import { entryText, parseEntry, type WithdrawalReason } from '../../../core/log/entry.ts';
import { receiptKind } from '../../../core/receipt/receipt-id.ts';
import { statementSha256 } from '../../../core/statement/statement-hash.ts';
import type { Withdrawal } from '../../../core/statement/withdrawal-stub.ts';
import type { Withdrawals } from '../../../ports/log/withdrawals.ts';
import type { Dialect } from '../engine/dialect.ts';
import type { Queries } from '../engine/tables.ts';
import type { Writes } from '../engine/writes.ts';
import type { EntryStatements } from '../log/log-rows.ts';
import { raiseRevision } from '../seller/raise-revision.ts';
import { forgetUrl } from './forget-url.ts';
import { type Removed, removeCrawl, removeLive } from './remove-receipt.ts';
import { sameUrl } from './same-url.ts';
import { withdrawalOf } from './withdrawal-row.ts';

interface Parts {
  readonly dialect: Dialect;
  readonly entries: EntryStatements;
}

export function sqlWithdrawals(database: Queries, writes: Writes, parts: Parts): Withdrawals {
  return {
    find: (id) => findOne(database, id),
    async among(ids) {
      if (ids.length === 0) return [];
      const rows = await database
        .selectFrom('withdrawals')
        .selectAll()
        .where(parts.dialect.among('id', ids))
        .execute();
      return rows.map(withdrawalOf);
    },
    async ids(above, limit) {
      const rows = await database
        .selectFrom('withdrawals')
        .select('id')
        .where('id', '>', above)
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },
    async counts() {
      const rows = await database
        .selectFrom('withdrawals')
        .select(({ fn }) => ['because', fn.countAll<number>().as('receipts')])
        .groupBy('because')
        .execute();
      const of = (reason: WithdrawalReason) =>
        Number(rows.find(({ because }) => because === reason)?.receipts ?? 0);
      return { secret: of('secret'), personal: of('personal'), legal: of('legal'), error: of('error') };
    },
    sameUrl: (id, limit) => sameUrl(database, id, limit),
    withdraw: (id, because, at) =>
      writes.unit(
        async (queries) => {
          const known = await findOne(queries, id);
          if (known !== null) return known;
          const remove = receiptKind(id) === 'live' ? removeLive : removeCrawl;
          const removed = await remove(queries, parts.dialect, id);
          if (removed === null) return withdrawRetired(queries, { id, because, at }, parts);
          await forgetUrl(queries, removed.urlKey, id);
          return keep(queries, { id, because, at, ...removed, hash: statementSha256(removed.body) }, parts);
        },
        { keeps: (withdrawal) => withdrawal !== null },
      ),
  };
}

async function findOne(queries: Queries, id: string): Promise<Withdrawal | null> {
  const row = await queries.selectFrom('withdrawals').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : withdrawalOf(row);
}

/** The text is in an archive, and its hash in the log. */
async function withdrawRetired(
  queries: Queries,
  { id, because, at }: Pick<Kept, 'id' | 'because' | 'at'>,
  parts: Parts,
): Promise<Withdrawal | null> {
  const row = await queries.selectFrom('log_entries').select('entry').where('id', '=', id).executeTakeFirst();
  const entry = parseEntry(row?.entry ?? '');
  if (entry?.kind !== 'receipt') return null;
  return keep(queries, { id, because, at, hash: entry.sha256, runId: null, seq: null }, parts);
}

interface Kept extends Pick<Removed, 'runId' | 'seq'> {
  readonly id: string;
  readonly because: WithdrawalReason;
  readonly at: Date;
  readonly hash: Uint8Array;
}

async function keep(
  queries: Queries,
  { id, because, at, hash, runId, seq }: Kept,
  { entries }: Parts,
): Promise<Withdrawal> {
  const sha256 = Buffer.from(hash).toString('base64');
  const row = { id, sha256, because, at: at.getTime(), run_id: runId, seq };
  await queries.insertInto('withdrawals').values(row).execute();
  await entries.insert(
    queries,
    `withdrawal:${id}`,
    entryText({ kind: 'withdrawal', id, sha256: hash, because }),
  );
  // Processes keep rendered receipts until this changes.
  await raiseRevision(queries);
  return { id, sha256, because, at };
}
