import { CompiledQuery } from 'kysely';
import { type CounterRow, type CounterRows, fillIn, type Tally, textsBySize } from './counter-rows.ts';

/**
 * SQLite has one writer at a time, so that reading is enough to hold a row. The window, which nearly always is the same day for
 * all, is handed over once for a statement and not with every row. Places are not numbered, because Node before 24.7 takes a
 * number for a name.
 */
export const sqliteRows: CounterRows = {
  async hold(queries, tallies) {
    for (const [window, wanted] of tallies) {
      const read = CompiledQuery.raw(readingText(wanted.size), [window, ...wanted.keys()]);
      const { rows } = await queries.executeQuery<Omit<CounterRow, 'window'>>(read);
      for (const row of rows) fillIn(wanted.get(row.key), row);
    }
  },
  async write(queries, tallies) {
    for (const [window, wanted] of tallies) {
      const made: Tally[] = [];
      const known: Tally[] = [];
      for (const tally of wanted.values()) if (tally.raised) (tally.kept ? known : made).push(tally);
      if (made.length > 0) await queries.executeQuery(making(window, made));
      if (known.length > 0) await queries.executeQuery(raising(window, known));
    }
  },
};

const readingText = textsBySize((rows) => {
  const keys = rows.map(() => '?').join(', ');
  return `select key, used, used_together from counters where "window" = ? and key in (${keys})`;
});

/**
 * An upsert of many rows can fail halfway and be undone alone, for which SQLite copies every page that it changes: a fifth of all
 * that the counters cost. These two undo the whole transaction instead, and so need no copies.
 */
function making(window: string, tallies: readonly Tally[]): CompiledQuery {
  return CompiledQuery.raw(makingText(tallies.length), [window, ...countsOf(tallies)]);
}

const makingText = textsBySize(
  (rows) => `insert or rollback into counters ("window", key, used, used_together)
    select ?, column1, column2, column3 from (values ${placesOf(rows)})`,
);

function raising(window: string, tallies: readonly Tally[]): CompiledQuery {
  return CompiledQuery.raw(raisingText(tallies.length), [...countsOf(tallies), window]);
}

const raisingText = textsBySize(
  (rows) => `update or rollback counters set used = wanted.column2, used_together = wanted.column3
    from (values ${placesOf(rows)}) wanted where key = wanted.column1 and "window" = ?`,
);

function placesOf(rows: readonly number[]): string {
  return rows.map(() => '(?, ?, ?)').join(', ');
}

function countsOf(tallies: readonly Tally[]): unknown[] {
  return tallies.flatMap(({ key, used, together }) => [key, used, together]);
}
