import { CompiledQuery } from 'kysely';
import { order } from '../../core/order.ts';
import {
  type CounterRow,
  type CounterRows,
  fillIn,
  type Tallies,
  type Tally,
  textsBySize,
} from './counter-rows.ts';

/** PostgreSQL: an update that changes nothing locks the row; one that is missing is made. */
export const postgresRows: CounterRows = {
  async hold(queries, tallies) {
    // A fixed order keeps two processes from waiting for each other.
    const wanted = allOf(tallies).sort(
      (one, other) => order(one.window, other.window) || order(one.key, other.key),
    );
    const lock = CompiledQuery.raw(lockingText(wanted.length), valuesOf(wanted));
    const { rows } = await queries.executeQuery<CounterRow>(lock);
    for (const row of rows) fillIn(tallies.get(row.window)?.get(row.key), row);
  },
  async write(queries, tallies) {
    const wanted = allOf(tallies);
    const raised = wanted.filter((tally) => tally.raised);
    // Where nobody was granted anything, all of it is undone.
    if (raised.length === 0) return;
    await queries.executeQuery(CompiledQuery.raw(writingText(raised.length), valuesOf(raised)));
    const unused = wanted.filter(({ used, together }) => used === 0 && together === 0);
    if (unused.length > 0) await queries.executeQuery(removing(unused));
  },
};

function allOf(tallies: Tallies): Tally[] {
  return [...tallies.values()].flatMap((inWindow) => [...inWindow.values()]);
}

const upsert = (rows: readonly number[]) => {
  const values = rows.map(
    (index) => `(${[1, 2, 3, 4].map((column) => `$${4 * index + column}`).join(', ')})`,
  );
  return `insert into counters ("window", key, used, used_together) values ${values.join(', ')}
    on conflict ("window", key) do update set`;
};

const lockingText = textsBySize(
  (rows) => `${upsert(rows)} used = counters.used returning key, "window", used, used_together`,
);

const writingText = textsBySize(
  (rows) => `${upsert(rows)} used = excluded.used, used_together = excluded.used_together`,
);

function removing(tallies: readonly Tally[]): CompiledQuery {
  const values: unknown[] = [];
  for (const { key, window } of tallies) values.push(key, window);
  return CompiledQuery.raw(removingText(tallies.length), values);
}

const removingText = textsBySize((rows) => {
  const keys = rows.map((index) => `($${2 * index + 1}, $${2 * index + 2})`).join(', ');
  return `delete from counters where used = 0 and used_together = 0 and (key, "window") in (${keys})`;
});

function valuesOf(tallies: readonly Tally[]): unknown[] {
  const values: unknown[] = [];
  for (const { key, window, used, together } of tallies) values.push(window, key, used, together);
  return values;
}
