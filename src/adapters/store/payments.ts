import type { FrozenAnswer, OpenSettlement, PaymentLedger } from '../../ports/payment-ledger.ts';
import { claimPayment } from './payment-claims.ts';
import { decodeAnswer, decodePrepared, encodeAnswer, encodePrepared } from './payment-codec.ts';
import { liveReceiptRow } from './receipts.ts';
import type { Engine, Queries } from './tables.ts';
import type { Writes } from './writes.ts';

export function sqlPayments(database: Queries, writes: Writes, engine: Engine): PaymentLedger {
  return {
    claim: (claim) => claimPayment(writes, engine, claim),
    async release(key, holder) {
      await writes.one((queries) =>
        queries
          .deleteFrom('payments')
          .where('key', '=', key)
          .where('holder', '=', holder)
          .where('state', '=', 'claimed')
          .execute(),
      );
    },
    async prepare(key, holder, answer, payment, at) {
      const changes = {
        state: 'settling',
        changed_at: at.getTime(),
        open_since: at.getTime(),
        prepared: encodePrepared({ answer, payment }),
      } as const;
      const { numUpdatedRows } = await writes.one((queries) =>
        queries
          .updateTable('payments')
          .set(changes)
          .where('key', '=', key)
          .where('holder', '=', holder)
          .where('state', '=', 'claimed')
          .executeTakeFirstOrThrow(),
      );
      return numUpdatedRows === 1n;
    },
    settle: (key, answer, tx, at) =>
      writes.unit((queries) => settlePayment(queries, engine, { key, answer, tx, at })),
    reject: (key, at) => writes.unit((queries) => rejectPayment(queries, engine, key, at)),
    async leaveOpen(key, at) {
      await writes.one((queries) =>
        queries
          .updateTable('payments')
          .set({ state: 'unknown', changed_at: at.getTime() })
          .where('key', '=', key)
          .where('state', '=', 'settling')
          .execute(),
      );
    },
    open: (before, limit) => openSettlements(database, before, limit),
    prune: (before, limit) => writes.one((queries) => forgetAnswers(queries, engine, before, limit)),
  };
}

interface Settlement {
  readonly key: string;
  readonly answer: FrozenAnswer;
  readonly tx: string;
  readonly at: Date;
}

async function settlePayment(
  queries: Queries,
  engine: Engine,
  { key, answer, tx, at }: Settlement,
): Promise<FrozenAnswer> {
  const row = await lockedRow(queries, engine, key);
  if (row?.state === 'settled') {
    if (row.answer === null) throw new Error('the answer of this payment is no longer kept');
    return decodeAnswer(row.answer);
  }
  if (row === undefined || row.prepared === null) {
    throw new Error(
      `a payment that ${row === undefined ? 'was never claimed' : `is ${row.state}`} cannot be settled`,
    );
  }
  const { receipt } = decodePrepared(row.prepared).answer;
  if (receipt !== null) {
    await queries
      .insertInto('live_receipts')
      .values(liveReceiptRow(receipt.receipt, receipt.urlKey))
      .execute();
  }
  await queries
    .updateTable('payments')
    .set({
      state: 'settled',
      changed_at: at.getTime(),
      open_since: null,
      prepared: null,
      tx,
      frozen_at: at.getTime(),
      answer: encodeAnswer(answer),
    })
    .where('key', '=', key)
    .execute();
  return answer;
}

/** Its identifier is free again: the buyer may send another payment under the same name. */
async function rejectPayment(queries: Queries, engine: Engine, key: string, at: Date): Promise<void> {
  const row = await lockedRow(queries, engine, key);
  // Whoever was told of a refusal would be asked to pay again.
  if (row?.state === 'settled') throw new Error('a payment that is settled cannot be rejected');
  await queries
    .updateTable('payments')
    .set({ state: 'rejected', changed_at: at.getTime(), identifier: null, open_since: null, prepared: null })
    .where('key', '=', key)
    .where('state', 'in', ['settling', 'unknown'])
    .execute();
}

function lockedRow(queries: Queries, engine: Engine, key: string) {
  return queries
    .selectFrom('payments')
    .select(['state', 'prepared', 'answer'])
    .where('key', '=', key)
    .$if(engine === 'postgres', (row) => row.forUpdate())
    .executeTakeFirst();
}

async function openSettlements(
  database: Queries,
  before: Date,
  limit: number,
): Promise<readonly OpenSettlement[]> {
  const rows = await database
    .selectFrom('payments')
    .select(['key', 'state', 'open_since', 'prepared'])
    .where('open_since', '<', before.getTime())
    .orderBy('open_since')
    .orderBy('key')
    .limit(limit)
    .execute();
  return rows.flatMap(({ key, state, open_since, prepared }) => {
    if ((state !== 'settling' && state !== 'unknown') || open_since === null || prepared === null) return [];
    const { answer, payment } = decodePrepared(prepared);
    return [{ key, state, preparedBody: answer.body, payment, since: new Date(open_since) }];
  });
}

async function forgetAnswers(queries: Queries, engine: Engine, before: Date, limit: number): Promise<number> {
  const { numUpdatedRows } = await queries
    // Chosen once and then changed: a subquery with a limit may run again and change more.
    .with(
      (cte) => cte('old').materialized(),
      (from) =>
        from
          .selectFrom('payments')
          .select('key')
          .where('frozen_at', '<', before.getTime())
          .orderBy('frozen_at')
          .limit(limit)
          .$if(engine === 'postgres', (rows) => rows.forUpdate().skipLocked()),
    )
    .updateTable('payments')
    .set({ frozen_at: null, answer: null })
    .where('key', 'in', (from) => from.selectFrom('old').select('key'))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
