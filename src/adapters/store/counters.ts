import { sql } from 'kysely';
import { utcDay, utcHour, utcMinute } from '../../core/access/utc-window.ts';
import type { CounterStore } from '../../ports/counter-store.ts';
import { forgetOldest } from './engine/forget-oldest.ts';
import { runPrepared } from './engine/prepared.ts';
import type { Engine, Queries } from './engine/tables.ts';
import type { Writes } from './engine/writes.ts';
import { plainUse } from './raise-counters.ts';
import { reserveAtOnce } from './reserve-at-once.ts';
import { batchedReserve } from './reserve-batch.ts';

export function sqlCounters(database: Queries, writes: Writes, engine: Engine): CounterStore {
  const reserve = reserving(database, writes, engine);
  const isWindow = windowCheck();
  return {
    reserve(counters) {
      const odd = counters.find(({ window }) => !isWindow(window));
      if (odd !== undefined)
        return Promise.reject(new Error(`not a counter window: ${JSON.stringify(odd.window)}`));
      return counters.length === 0 ? Promise.resolve({ granted: true, used: [] }) : reserve(counters);
    },
    async used(counters) {
      const counts = counters.map(async ({ key, window, together }) => {
        const query = database
          .selectFrom('counters')
          .select(['used', 'used_together'])
          .where('window', '=', window)
          .where('key', '=', key);
        const [row] = (await runPrepared(database, 'used', query)).rows;
        return (together ? row?.used_together : row?.used) ?? 0;
      });
      return Promise.all(counts);
    },
    async giveBack({ key, window, together }) {
      const column = together ? 'used_together' : 'used';
      await writes.one((queries) =>
        queries
          .updateTable('counters')
          .set(({ eb }) => ({ [column]: eb(column, '-', 1) }))
          .where('window', '=', window)
          .where('key', '=', key)
          .where(column, '>', 0)
          .execute(),
      );
    },
    async prune(before, limit) {
      let forgotten = 0;
      for (const range of endedWindows(before)) {
        if (forgotten < limit) forgotten += await forget(writes, engine, range, limit - forgotten);
      }
      return forgotten;
    },
  };
}

function reserving(database: Queries, writes: Writes, engine: Engine): CounterStore['reserve'] {
  const together = batchedReserve(writes, engine);
  if (engine === 'sqlite') return together;
  const atOnce = reserveAtOnce(database, writes);
  return (counters) => {
    const use = plainUse(counters);
    return use === null ? together(counters) : atOnce(use);
  };
}

/** A day, an hour or a minute; what is named otherwise would never be forgotten. */
const WINDOW = /^[0-9]{4}-(?:0[1-9]|1[0-2])-[0-3][0-9](?:T(?:[01][0-9]|2[0-3])(?::[0-5][0-9])?)?$/;

/** Nearly all ask for the same day. */
function windowCheck(): (window: string) => boolean {
  let last = '';
  return (window) => {
    if (window !== last && !WINDOW.test(window)) return false;
    last = window;
    return true;
  };
}

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

function forget(writes: Writes, engine: Engine, [after, below]: WindowRange, limit: number): Promise<number> {
  const window = sql.ref('window');
  const where =
    after === null
      ? sql<boolean>`${window} < ${below}`
      : sql<boolean>`${window} < ${below} and ${window} > ${after}`;
  const key = ['window', 'key'] as const;
  return writes.one((queries) =>
    forgetOldest(queries, engine, { table: 'counters', key, where, orderBy: key, limit }),
  );
}
