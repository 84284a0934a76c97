import type { ExpressionBuilder } from 'kysely';
import { SENDS_PER_PAYMENT } from '../../../core/limits.ts';
import { nextSend } from '../../../core/payment/send-schedule.ts';
import type {
  Attempt,
  FrozenAnswer,
  OpenSettlement,
  PaymentLedger,
  PaymentState,
  UnreadableSettlement,
} from '../../../ports/payment-ledger.ts';
import type { Dialect } from '../engine/dialect.ts';
import type { Queries, Tables } from '../engine/tables.ts';
import type { Writes } from '../engine/writes.ts';
import type { ReceiptStatements } from '../receipts/receipts.ts';
import { forgetPayments } from './forget-payments.ts';
import { claimPayment, endLapsedClaim, lookAtPayment } from './payment-claims.ts';
import { decodeAnswer, decodePrepared, encodeAnswer, encodePrepared } from './payment-codec.ts';

export function sqlPayments(
  database: Queries,
  writes: Writes,
  dialect: Dialect,
  receipts: ReceiptStatements,
): PaymentLedger {
  return {
    look: (request, at) => lookAtPayment(database, request, at),
    lookAndEnd: (request, at) => endLapsedClaim(writes, dialect, request, at),
    claim: (claim) => claimPayment(writes, dialect, claim),
    async release(attempt) {
      await writes.one((queries) =>
        queries.deleteFrom('payments').where(heldBy(attempt, 'claimed')).execute(),
      );
    },
    prepare: (attempt, answer, payment, at) =>
      changeOne(writes, heldBy(attempt, 'claimed'), {
        state: 'settling',
        changed_at: at.getTime(),
        open_since: at.getTime(),
        prepared: encodePrepared({ answer, payment }),
      }),
    settle: (attempt, answer, tx, at) =>
      writes.unit((queries) => settlePayment(queries, { dialect, receipts }, attempt, { answer, tx, at })),
    // Idempotent, both: this attempt may have been rejected before.
    refuse: (attempt, at, revertedTx = null) =>
      changeOne(writes, heldBy(attempt, 'settling', 'rejected'), rejectedAt(at, revertedTx)),
    reject: (attempt, at, revertedTx = null) =>
      changeOne(writes, heldBy(attempt, 'settling', 'unknown', 'rejected'), rejectedAt(at, revertedTx)),
    async deliver(key, to, at) {
      await writes.one(
        (queries) =>
          queries
            .updateTable('payments')
            .set({ delivered_at: at.getTime(), delivered_to: to })
            .where('key', '=', key)
            .where('state', '=', 'settled')
            .where('delivered_at', 'is', null)
            .execute(),
        // After a power cut the answer counts as not delivered, and is given out again.
        { isRepeatable: true },
      );
    },
    takeSend: (attempt, at) => writes.unit((queries) => takeSend(queries, dialect, attempt, at)),
    async endSends(attempt) {
      await changeOne(writes, heldBy(attempt, 'settling', 'unknown'), { sends: SENDS_PER_PAYMENT });
    },
    leaveOpen: (attempt, at) =>
      changeOne(writes, heldBy(attempt, 'settling'), { state: 'unknown', changed_at: at.getTime() }),
    open: (before, limit, after) => openSettlements(database, before, limit, after),
    prune: (before, limit) => forgetPayments(writes, dialect, before, limit),
  };
}

/** The payment of this attempt, if it is in one of these states. */
function heldBy({ key, holder }: Attempt, ...states: readonly PaymentState[]) {
  return ({ and, eb }: ExpressionBuilder<Tables, 'payments'>) =>
    and([eb('key', '=', key), eb('holder', '=', holder), eb('state', 'in', states)]);
}

function rejectedAt(at: Date, revertedTx: string | null) {
  return {
    state: 'rejected',
    tx: revertedTx,
    changed_at: at.getTime(),
    held_until: at.getTime(),
    // Free again: the buyer may send another payment with the same identifier.
    identifier: null,
    open_since: null,
    prepared: null,
  } as const;
}

async function changeOne(
  writes: Writes,
  wanted: ReturnType<typeof heldBy>,
  changes: Partial<Tables['payments']>,
): Promise<boolean> {
  const { numUpdatedRows } = await writes.one((queries) =>
    queries.updateTable('payments').set(changes).where(wanted).executeTakeFirstOrThrow(),
  );
  return numUpdatedRows === 1n;
}

async function takeSend(queries: Queries, dialect: Dialect, attempt: Attempt, at: Date): Promise<boolean> {
  const open = heldBy(attempt, 'settling', 'unknown');
  const row = await queries
    .selectFrom('payments')
    .select(['sends', 'send_after'])
    .where(open)
    .modifyEnd(dialect.forUpdate)
    .executeTakeFirst();
  const next = row === undefined ? null : nextSend({ count: row.sends, notBefore: row.send_after }, at);
  if (next === null) return false;
  await queries
    .updateTable('payments')
    .set({ sends: next.count, send_after: next.notBefore })
    .where('key', '=', attempt.key)
    .execute();
  return true;
}

interface Settlement {
  readonly answer: FrozenAnswer;
  readonly tx: string;
  readonly at: Date;
}

async function settlePayment(
  queries: Queries,
  { dialect, receipts }: { readonly dialect: Dialect; readonly receipts: ReceiptStatements },
  { key, holder }: Attempt,
  { answer, tx, at }: Settlement,
): Promise<FrozenAnswer> {
  const row = await lockedRow(queries, dialect, key);
  if (row === undefined) throw cannotSettle('was never claimed');
  if (row.holder !== holder) throw cannotSettle('another attempt holds');
  if (row.state === 'settled') {
    if (row.answer === null) throw new Error('the answer of this payment is no longer kept');
    return decodeAnswer(row.answer);
  }
  if (row.prepared === null) throw cannotSettle(`is ${row.state}`);
  const { receipt } = decodePrepared(row.prepared).answer;
  if (receipt !== null) await receipts.insert(queries, receipt);
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

function cannotSettle(which: string): Error {
  return new Error(`a payment that ${which} cannot be settled`);
}

function lockedRow(queries: Queries, dialect: Dialect, key: string) {
  return queries
    .selectFrom('payments')
    .select(['holder', 'state', 'prepared', 'answer'])
    .where('key', '=', key)
    .modifyEnd(dialect.forUpdate)
    .executeTakeFirst();
}

async function openSettlements(
  database: Queries,
  before: Date,
  limit: number,
  after?: Pick<OpenSettlement, 'key' | 'since'>,
): Promise<readonly (OpenSettlement | UnreadableSettlement)[]> {
  const rows = await database
    .selectFrom('payments')
    .select(['key', 'holder', 'state', 'open_since', 'prepared'])
    .where('open_since', '<', before.getTime())
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('open_since', 'key'), '>', tuple(after?.since.getTime() ?? 0, after?.key ?? '')),
      ),
    )
    .orderBy('open_since')
    .orderBy('key')
    .limit(limit)
    .execute();
  return rows.map(openSettlement);
}

/** An unreadable payment must not block the reconciliation of the others. */
function openSettlement({
  key,
  holder,
  state,
  open_since,
  prepared,
}: Pick<Tables['payments'], 'key' | 'holder' | 'state' | 'open_since' | 'prepared'>):
  | OpenSettlement
  | UnreadableSettlement {
  const since = new Date(open_since ?? 0);
  if ((state !== 'settling' && state !== 'unknown') || prepared === null)
    return { state: 'unreadable', key, since };
  try {
    const { answer, payment } = decodePrepared(prepared);
    return { key, holder, state, prepared: answer, payment, since };
  } catch {
    return { state: 'unreadable', key, since };
  }
}
