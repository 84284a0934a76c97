import { CLOCKS_APART_MS } from '../../../core/is-dated-ahead.ts';
import type { PaidCall } from '../../../core/known-answer/paid-call.ts';
import { microUsd } from '../../../core/money/micro-usd.ts';
import type { CallEvidence, PaidCallStore, UnfinishedCall } from '../../../ports/paid-calls.ts';
import { countedMoney } from '../engine/stored-values.ts';
import type { Queries } from '../engine/tables.ts';
import type { Writes } from '../engine/writes.ts';
import { serviceFacts } from './service-facts.ts';
import { encodeCheck, encodeEvidence, encodePaidCall } from './service-facts-codec.ts';
import { lowerOrRaise, raiseWithin, readSpent } from './spending.ts';

export function sqlPaidCalls(database: Queries, writes: Writes): PaidCallStore {
  return {
    ...serviceFacts(database),
    async begin({ id, serviceId, calledAt, amount, payTo }, caps) {
      const at = calledAt.getTime();
      const row = {
        id,
        service_id: serviceId,
        begun_at: at,
        amount: countedMoney(amount),
        pay_to: payTo,
        open_since: at,
      };
      const perDay = countedMoney(caps.perDay);
      const total = countedMoney(caps.total);
      return writes.unit(
        async (queries) => {
          const within = await raiseWithin(queries, { at: calledAt, amount: row.amount, perDay, total });
          if (within === 'begun') await queries.insertInto('paid_calls').values(row).execute();
          return within;
        },
        { keeps: (within) => within === 'begun' },
      );
    },
    async note(id, note) {
      const { numUpdatedRows } = await writes.one((queries) =>
        queries
          .updateTable('paid_calls')
          // The column holds the note until the call is finished.
          .set({ evidence: note })
          .where('id', '=', id)
          .where('open_since', 'is not', null)
          .executeTakeFirstOrThrow(),
      );
      if (numUpdatedRows !== 1n) throw new Error(`paid call ${id} was never begun or is finished`);
    },
    finish: (id, call, evidence) => writes.unit((queries) => finishCall(queries, id, call, evidence)),
    unfinished: (before, limit) => unfinishedCalls(database, before, limit),
    spent: (now) => readSpent(database, now),
    async keepCheck(serviceId, check) {
      const row = { service_id: serviceId, checked_at: check.checkedAt.getTime(), body: encodeCheck(check) };
      await writes.one((queries) =>
        queries
          .insertInto('service_checks')
          .values(row)
          .onConflict((conflict) =>
            conflict
              .column('service_id')
              .doUpdateSet({ checked_at: row.checked_at, body: row.body })
              .where(({ eb, or }) =>
                or([
                  eb('service_checks.checked_at', '<', row.checked_at),
                  eb('service_checks.checked_at', '>', row.checked_at + CLOCKS_APART_MS),
                ]),
              ),
          )
          .execute(),
      );
    },
  };
}

async function finishCall(
  queries: Queries,
  id: string,
  call: PaidCall,
  evidence: CallEvidence,
): Promise<void> {
  const charged = call.charged === null ? 0 : countedMoney(call.charged);
  const begun = await queries
    .updateTable('paid_calls')
    .set({
      open_since: null,
      called_at: call.calledAt.getTime(),
      body: encodePaidCall(call),
      evidence: encodeEvidence(evidence),
    })
    .where('id', '=', id)
    .where('open_since', 'is not', null)
    .returning(['begun_at', 'amount'])
    .executeTakeFirst();
  if (begun === undefined) throw new Error(`paid call ${id} was never begun or is finished`);
  // The day on which it began, because that day's budget was charged.
  await lowerOrRaise(queries, { at: new Date(begun.begun_at), by: charged - begun.amount });
}

async function unfinishedCalls(
  database: Queries,
  before: Date,
  limit: number,
): Promise<readonly UnfinishedCall[]> {
  const rows = await database
    .selectFrom('paid_calls')
    .select(['id', 'service_id', 'begun_at', 'amount', 'pay_to', 'evidence'])
    .where('open_since', '<', before.getTime())
    .orderBy('open_since')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id, service_id, begun_at, amount, pay_to, evidence }) => ({
    id,
    serviceId: service_id,
    calledAt: new Date(begun_at),
    amount: microUsd(BigInt(amount)),
    payTo: pay_to,
    note: evidence,
  }));
}
