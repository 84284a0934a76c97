import type { Counter } from '../../../core/access/quota.ts';
import { order } from '../../../core/order.ts';
import type { Dialect } from '../engine/dialect.ts';
import type { Queries } from '../engine/tables.ts';

type Row = Pick<Counter, 'key' | 'window'>;

/** A row that a reservation raises: one or both of its counts, each by one. */
export interface RowUse extends Row {
  own: Raise;
  together: Raise;
}

interface Raise {
  readonly by: 0 | 1;
  readonly limit: number;
}

interface Counts {
  readonly used: number;
  readonly used_together: number;
}

export type CountsByRow = ReadonlyMap<string, Counts>;

const NOT_RAISED: Raise = { by: 0, limit: Number.MAX_SAFE_INTEGER };
const ABSENT: Counts = { used: 0, used_together: 0 };

export function rowsOf(counters: readonly Counter[]): readonly RowUse[] {
  const rows = new Map<string, RowUse>();
  for (const { key, window, limit, together } of counters) {
    const name = nameOf({ key, window });
    const row = rows.get(name) ?? { key, window, own: NOT_RAISED, together: NOT_RAISED };
    row[together ? 'together' : 'own'] = { by: 1, limit };
    rows.set(name, row);
  }
  return [...rows.values()].sort(byName);
}

/** Rows are locked in this order, so that two processes cannot deadlock. */
export function byName(one: Row, other: Row): number {
  return order(one.window, other.window) || order(one.key, other.key);
}

export function nameOf({ key, window }: Row): string {
  return `${window} ${key}`;
}

export function countsIn(counts: CountsByRow, row: Row): Counts {
  return counts.get(nameOf(row)) ?? ABSENT;
}

/** In the same statements on both engines. */
export interface CounterStatements {
  readonly raise: RaiseRows;
  /** The same, each row with limits of its own. */
  readonly raiseEach: RaiseRows;
  readonly count: ReadCounts;
  /** Lowers one count by one, never below zero. */
  readonly lower: (queries: Queries, counter: Counter) => Promise<void>;
}

export function counterStatements(dialect: Dialect): CounterStatements {
  return {
    raise: rowRaiser(dialect),
    raiseEach: eachRaiser(dialect),
    count: countReader(dialect),
    lower: countLowerer(dialect),
  };
}

export function countOf(counter: Counter, counts: CountsByRow): number {
  const { used, used_together } = countsIn(counts, counter);
  return counter.together ? used_together : used;
}

/** Raises those of the rows that have room, and answers their new counts. All have the limits of the first. */
type RaiseRows = (queries: Queries, rows: readonly RowUse[]) => Promise<CountsByRow>;

function rowRaiser(dialect: Dialect): RaiseRows {
  const raiseRows = bySize((rows) =>
    dialect.statement<Row & Counts>(`raise_counters_${rows}`, raiseText(rows)),
  );
  return async (queries, rows) => {
    // A missing row is inserted without a test.
    const open = rows.filter(({ own, together }) => own.limit > 0 && together.limit > 0).sort(byName);
    const [first] = open;
    if (first === undefined) return new Map();
    const values = open.flatMap(({ key, window, own, together }) => [window, key, own.by, together.by]);
    const limits = [first.own.limit, first.together.limit];
    return byRow((await queries.executeQuery(raiseRows(open.length)([...values, ...limits]))).rows);
  };
}

function eachRaiser(dialect: Dialect): RaiseRows {
  const raiseEach = bySize((rows) =>
    dialect.statement<Row & Counts>(`raise_each_counter_${rows}`, raiseEachText(rows)),
  );
  return async (queries, rows) => {
    const open = rows.filter(({ own, together }) => own.limit > 0 && together.limit > 0).sort(byName);
    if (open.length === 0) return new Map();
    const values = open.flatMap(({ key, window, own, together }) => [window, key, own.by, together.by]);
    const limits = (of: 'own' | 'together') => open.flatMap((row) => [row.window, row.key, row[of].limit]);
    const bound = [...values, ...limits('own'), ...limits('together')];
    return byRow((await queries.executeQuery(raiseEach(open.length)(bound))).rows);
  };
}

const raiseEachText = (rows: number) => {
  const times = (text: string) => Array.from({ length: rows }, () => text);
  const limit = `case ${times('when counters."window" = ? and counters.key = ? then cast(? AS bigint)').join(' ')} end`;
  return `insert into counters ("window", key, used, used_together)
    values ${times('(?, ?, ?, ?)').join(', ')}
  on conflict ("window", key) do update
    set used = counters.used + excluded.used, used_together = counters.used_together + excluded.used_together
    where counters.used + excluded.used <= ${limit}
      and counters.used_together + excluded.used_together <= ${limit}
  returning "window", key, used, used_together`;
};

const raiseText = (rows: number) =>
  `insert into counters ("window", key, used, used_together)
    values ${Array.from({ length: rows }, () => '(?, ?, ?, ?)').join(', ')}
  on conflict ("window", key) do update
    set used = counters.used + excluded.used, used_together = counters.used_together + excluded.used_together
    where counters.used + excluded.used <= cast(? AS bigint)
      and counters.used_together + excluded.used_together <= cast(? AS bigint)
  returning "window", key, used, used_together`;

/** The counts of these rows; a missing row has none. */
type ReadCounts = (queries: Queries, rows: readonly Row[]) => Promise<CountsByRow>;

function countReader(dialect: Dialect): ReadCounts {
  // Not one condition for all: the plan for an empty table would scan a full one.
  const text = (rows: number) => Array.from({ length: rows }, () => COUNT).join(' union all ');
  const countRows = bySize((rows) => dialect.statement<Row & Counts>(`count_counters_${rows}`, text(rows)));
  return async (queries, rows) => {
    const values = rows.flatMap(({ key, window }) => [window, key]);
    return byRow((await queries.executeQuery(countRows(rows.length)(values))).rows);
  };
}

const COUNT = 'select "window", key, used, used_together from counters where "window" = ? and key = ?';

function countLowerer(dialect: Dialect): CounterStatements['lower'] {
  const lowering = (column: 'used' | 'used_together') =>
    dialect.statement(
      `lower_${column}`,
      `update counters set ${column} = ${column} - 1 where "window" = ? and key = ? and ${column} > 0`,
    );
  const statements = { own: lowering('used'), together: lowering('used_together') };
  return async (queries, { key, window, together }) => {
    await queries.executeQuery(statements[together ? 'together' : 'own']([window, key]));
  };
}

/** Made once for each number of rows. */
function bySize<T>(make: (rows: number) => T): (rows: number) => T {
  const made = new Map<number, T>();
  return (rows) => {
    const known = made.get(rows) ?? make(rows);
    made.set(rows, known);
    return known;
  };
}

function byRow(rows: readonly (Row & Counts)[]): CountsByRow {
  return new Map(rows.map((row) => [nameOf(row), row]));
}
