import { type CompiledQuery, sql } from 'kysely';
import type { Counter } from '../../core/access/quota.ts';
import { order } from '../../core/order.ts';
import type { CounterStore, Reserved } from '../../ports/counter-store.ts';
import { fill, slot } from './compiled-once.ts';
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
      const statements = statementsFor(counters.length);
      const { read, raise } = statements;
      const values = valuesOf(counters);
      if (engine === 'sqlite')
        return writes.one((queries) => reserveAlone(queries, statements, values, counters));
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

/** Where one writer works at a time, one statement can look at all counters and raise them or none. */
async function reserveAlone(
  queries: Queries,
  { read, raiseAll }: Statements,
  values: Readonly<Record<string, string | number>>,
  counters: readonly Counter[],
): Promise<Reserved> {
  const { rows } = await queries.executeQuery(fill(raiseAll, values));
  if (rows.length === counters.length) return raisedOf(rows, counters);
  const found = (await queries.executeQuery(fill(read, values))).rows;
  return { granted: false, used: usedOf(found, counters) };
}

/** What the hot path runs for so many counters, compiled once. */
interface Statements {
  readonly raiseAll: CompiledQuery<Row>;
  readonly read: CompiledQuery<Row>;
  readonly raise: CompiledQuery<Row>;
}

interface Row {
  readonly key: string;
  readonly window: string;
  readonly used: number;
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
  const wanted = sql.join(
    slots.map(({ key, window, limit, end }) => sql`(${key}, ${window}, ${limit}, ${end})`),
  );
  // No row is chosen, and so none is raised, when one of them is full.
  const raiseAll = sql<Row>`with wanted (key, window, most, ends) as (values ${wanted})
    insert into counters (key, window, used, expires_at) select key, window, 1, ends from wanted
    where not exists (select 1 from wanted one left join counters row on row.key = one.key and row.window = one.window
      where coalesce(row.used, 0) >= one.most)
    on conflict (key, window) do update set used = used + 1 returning key, window, used`;
  return { read: read.compile(), raise: raise.compile(), raiseAll: raiseAll.compile(database) };
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

/** A refusal when one of them is full already. A counter without a row was never used. */
function fullOf(rows: readonly Row[], counters: readonly Counter[]): Reserved | null {
  const used = usedOf(rows, counters);
  const full = counters.some(({ limit }, index) => (used[index] ?? 0) >= limit);
  return full ? { granted: false, used } : null;
}

function usedOf(rows: readonly Row[], counters: readonly Counter[]): number[] {
  return counters.map((counter) => rowOf(rows, counter)?.used ?? 0);
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

function rowOf(rows: readonly Row[], { key, window }: Counter): Row | undefined {
  return rows.find((row) => row.key === key && row.window === window);
}
