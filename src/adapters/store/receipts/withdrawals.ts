import { entryText, WITHDRAWAL_REASONS, type WithdrawalReason } from '../../../core/log/entry.ts';
import { receiptKind } from '../../../core/receipt/receipt-id.ts';
import { isStatement } from '../../../core/statement/read-statement.ts';
import { statementSha256 } from '../../../core/statement/statement-hash.ts';
import type { Withdrawal } from '../../../core/statement/withdrawal-stub.ts';
import type { Withdrawals } from '../../../ports/withdrawals.ts';
import type { Dialect } from '../engine/dialect.ts';
import type { Queries, Tables } from '../engine/tables.ts';
import type { Writes } from '../engine/writes.ts';
import type { EntryStatements } from '../log/log-rows.ts';
import { raiseRevision } from '../seller/raise-revision.ts';

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
    withdraw: (id, because, at) =>
      writes.unit(
        async (queries) => {
          const known = await findOne(queries, id);
          if (known !== null) return known;
          const gone = receiptKind(id) === 'live' ? await removeLive(queries, id) : null;
          if (gone === null) return null;
          return keep(queries, { id, because, at, ...gone }, parts);
        },
        { keeps: (withdrawal) => withdrawal !== null },
      ),
  };
}

async function findOne(queries: Queries, id: string): Promise<Withdrawal | null> {
  const row = await queries.selectFrom('withdrawals').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : withdrawalOf(row);
}

function withdrawalOf({ id, sha256, because, at }: Tables['withdrawals']): Withdrawal {
  const known = WITHDRAWAL_REASONS.find((reason) => reason === because);
  if (known === undefined) throw new Error(`the withdrawal of ${id} has no reason that this release knows`);
  return { id, sha256, because: known, at: new Date(at) };
}

/** A removed receipt, and its place in the tree of its run. */
interface Gone {
  readonly statement: string;
  readonly runId: string | null;
  readonly seq: number | null;
}

async function removeLive(queries: Queries, id: string): Promise<Gone | null> {
  const row = await queries
    .selectFrom('live_receipts')
    .select('body')
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined || !isStatement(row.body)) return null;
  await queries.deleteFrom('live_receipts').where('id', '=', id).execute();
  return { statement: row.body, runId: null, seq: null };
}

interface Kept extends Gone {
  readonly id: string;
  readonly because: WithdrawalReason;
  readonly at: Date;
}

async function keep(
  queries: Queries,
  { id, because, at, ...gone }: Kept,
  { entries }: Parts,
): Promise<Withdrawal> {
  const hash = statementSha256(gone.statement);
  const sha256 = Buffer.from(hash).toString('base64');
  const row = { id, sha256, because, at: at.getTime(), run_id: gone.runId, seq: gone.seq };
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
