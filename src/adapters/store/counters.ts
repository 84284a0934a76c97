import type { CompiledQuery } from 'kysely';
import type { Counter } from '../../core/access/quota.ts';
import { order } from '../../core/order.ts';
import type { CounterStore, Reserved } from '../../ports/counter-store.ts';
import { fill, slot } from './compiled-once.ts';
import { fullOf, type CounterRow as Row, reserveAlone, rowOf } from './reserve-alone.ts';
import type { Engine, Queries } from './tables.ts';
import { windowEnd } from './window-end.ts';
import type { Writes } from './writes.ts';

export function sqlCounters(database: Queries, writes: Writes, engine: Engine): CounterStore {
  const compiled = new Map<number, Statements>();
  const statementsFor = (count: number): Statements => {
    const statements = compiled.get(count) ?? compileStatements(database, count);
    compiled.set(count, statements);
    return statements;
  };
  return {
    async reserve(counters) {
      if (counters.length === 0) return { granted: true, used: [] };
      if (engine === 'sqlite') return writes.one((queries) => reserveAlone(queries, counters));
      const { read, raise } = statementsFor(counters.length);
      const values = valuesOf(counters);
      return writes.unit<Reserved>(
        async (queries) => raisedOf((await queries.executeQuery(fill(raise, values))).rows, counters),
        {
          // Most refusals end here, without a lock or a row: somebody who keeps asking costs one read.
          look: async (queries) => fullOf((await queries.executeQuery(fill(read, values))).rows, counters),
          keeps: ({ granted }) => granted,
        },
      );
    },
    async giveBack({ key, window }) {
      await writes.one((queries) =>
        queries
          .updateTable('counters')
          .set(({ eb }) => ({ used: eb('used', '-', 1) }))
          .where('key', '=', key)
          .where('window', '=', window)
          .where('used', '>', 0)
          .execute(),
      );
    },
    async prune(before, limit) {
      const { numDeletedRows } = await writes.one((queries) =>
        queries
          // Chosen once and then deleted: a subquery with a limit may run again and delete more.
          .with(
            (cte) => cte('ended').materialized(),
            (from) =>
              from
                .selectFrom('counters')
                .select(['key', 'window'])
                .where('expires_at', '<', before.getTime())
                .orderBy('expires_at')
                .limit(limit)
                .$if(engine === 'postgres', (rows) => rows.forUpdate().skipLocked()),
          )
          .deleteFrom('counters')
          .where(({ eb, refTuple, selectFrom }) =>
            eb(
              refTuple('key', 'window'),
              'in',
              selectFrom('ended').select(['key', 'window']).$asTuple('key', 'window'),
            ),
          )
          .executeTakeFirstOrThrow(),
      );
      return Number(numDeletedRows);
    },
  };
}

/** What the hot path runs for so many counters, compiled once. */
interface Statements {
  readonly read: CompiledQuery<Row>;
  readonly raise: CompiledQuery<Row>;
}

function compileStatements(database: Queries, count: number): Statements {
  const slots = Array.from({ length: count }, (_, index) => ({
    key: slot<string>(`key${index}`),
    window: slot<string>(`window${index}`),
    limit: slot<number>(`limit${index}`),
    end: slot<number>(`end${index}`),
  }));
  const read = database
    .selectFrom('counters')
    .select(['key', 'window', 'used'])
    .where(({ eb, and, or }) =>
      or(slots.map(({ key, window }) => and([eb('key', '=', key), eb('window', '=', window)]))),
    );
  const raise = database
    .insertInto('counters')
    .values(slots.map(({ key, window, end }) => ({ key, window, used: 1, expires_at: end })))
    .onConflict((conflict) =>
      conflict
        .columns(['key', 'window'])
        .doUpdateSet(({ eb }) => ({ used: eb('counters.used', '+', 1) }))
        .where(({ eb, and, or }) =>
          or(
            slots.map(({ key, window, limit }) =>
              and([
                eb('counters.key', '=', key),
                eb('counters.window', '=', window),
                eb('counters.used', '<', limit),
              ]),
            ),
          ),
        ),
    )
    .returning(['key', 'window', 'used']);
  return { read: read.compile(), raise: raise.compile() };
}

/** Rows are locked in the order of the values; a fixed order keeps two callers from waiting for each other. */
function valuesOf(counters: readonly Counter[]): Record<string, string | number> {
  const inLockOrder = counters.toSorted(
    (left, right) => order(left.key, right.key) || order(left.window, right.window),
  );
  const values: Record<string, string | number> = {};
  for (const [index, { key, window, limit }] of inLockOrder.entries()) {
    values[`key${index}`] = key;
    values[`window${index}`] = window;
    values[`limit${index}`] = limit;
    values[`end${index}`] = windowEnd(window);
  }
  return values;
}

/** What raising all of them brought; it is undone unless all of them could be raised. */
function raisedOf(raised: readonly Row[], counters: readonly Counter[]): Reserved {
  const granted = raised.length === counters.length;
  const used = counters.map((counter) => {
    const row = rowOf(raised, counter);
    // One that could not be raised has used its limit; those that could are about to be lowered again.
    if (row === undefined) return counter.limit;
    return granted ? row.used : row.used - 1;
  });
  return { granted, used };
}
