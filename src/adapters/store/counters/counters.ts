import { sql } from 'kysely';
import { utcDay, utcHour, utcMinute } from '../../../core/access/utc-window.ts';
import type { CounterStore } from '../../../ports/counter-store.ts';
import type { Dialect } from '../engine/dialect.ts';
import { forgetOldest } from '../engine/forget-oldest.ts';
import type { Queries } from '../engine/tables.ts';
import type { Writes } from '../engine/writes.ts';
import { reserving } from './reserve.ts';
import { type CounterStatements, countOf } from './rows.ts';

export function sqlCounters(
  database: Queries,
  writes: Writes,
  dialect: Dialect,
  statements: CounterStatements,
): CounterStore {
  const reserve = reserving(database, writes, dialect.isRemote, statements);
  return {
    async reserve(counters) {
      const odd = counters.find(({ window }) => !WINDOW.test(window));
      if (odd !== undefined) throw new Error(`not a counter window: ${JSON.stringify(odd.window)}`);
      return counters.length === 0 ? { granted: true, used: [] } : reserve(counters);
    },
    async used(counters) {
      if (counters.length === 0) return [];
      const counts = await statements.count(database, counters);
      return counters.map((counter) => countOf(counter, counts));
    },
    giveBack: (counter) => writes.one((queries) => statements.lower(queries, counter)),
    async prune(before, limit) {
      let forgotten = 0;
      for (const range of endedWindows(before)) {
        if (forgotten < limit) forgotten += await forget(writes, dialect, range, limit - forgotten);
      }
      return forgotten;
    },
  };
}

/** A day, an hour or a minute. Pruning would never find a window of another form. */
const WINDOW = /^[0-9]{4}-(?:0[1-9]|1[0-2])-[0-3][0-9](?:T(?:[01][0-9]|2[0-3])(?::[0-5][0-9])?)?$/;

/** Windows strictly between two names; null has nothing below it. */
type WindowRange = readonly [after: string | null, below: string];

/**
 * Names of windows are ordered like their times, so those that are over make three ranges: around them lie the day and the
 * hour that still run, and a day sorts before its own hours.
 */
function endedWindows(before: Date): readonly WindowRange[] {
  const last = new Date(before.getTime() - 1);
  return [
    [null, utcDay(last)],
    [utcDay(last), utcHour(last)],
    [utcHour(last), utcMinute(last)],
  ];
}

function forget(
  writes: Writes,
  dialect: Dialect,
  [after, below]: WindowRange,
  limit: number,
): Promise<number> {
  const window = sql.ref('window');
  const where =
    after === null
      ? sql<boolean>`${window} < ${below}`
      : sql<boolean>`${window} < ${below} and ${window} > ${after}`;
  const key = ['window', 'key'] as const;
  return writes.one((queries) =>
    forgetOldest(queries, dialect, { table: 'counters', key, where, orderBy: key, limit }),
  );
}
