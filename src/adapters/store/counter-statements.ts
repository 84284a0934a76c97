import { CompiledQuery } from 'kysely';
import type { Tables } from './tables.ts';

/** A row with its two counts, as a batch changes them. */
export interface Tally {
  readonly key: string;
  readonly window: string;
  used: number;
  together: number;
  /** It is in the store already. */
  kept: boolean;
  raised: boolean;
}

export type CounterRow = Tables['counters'];

export function nameOf({ key, window }: Pick<CounterRow, 'key' | 'window'>): string {
  return `${window} ${key}`;
}

/** Written out once for each number of rows: a text made anew would also have to be found anew among the prepared ones. */
function textsBySize(write: (rows: readonly number[]) => string): (size: number) => string {
  const texts: string[] = [];
  return (size) => {
    texts[size] ??= write(Array.from({ length: size }, (_, index) => index));
    return texts[size] ?? '';
  };
}

/** SQLite: one writer at a time, so that reading is enough. */
export function reading(tallies: readonly Tally[]): CompiledQuery<CounterRow> {
  const values: unknown[] = [];
  for (const { key, window } of tallies) values.push(window, key);
  return CompiledQuery.raw(readingText(tallies.length), values);
}

const readingText = textsBySize((rows) => {
  const places = rows.map(() => '("window" = ? and key = ?)').join(' or ');
  return `select key, window, used, used_together from counters where ${places}`;
});

/**
 * An upsert of many rows can fail halfway and be undone alone, for which SQLite copies every page that it changes: a fifth of all
 * that the counters cost. These two undo the whole transaction instead, and so need no copies.
 */
export function writing(tallies: readonly Tally[]): readonly CompiledQuery[] {
  const made = tallies.filter(({ kept }) => !kept);
  const known = tallies.filter(({ kept }) => kept);
  return [
    ...(made.length > 0 ? [CompiledQuery.raw(makingText(made.length), valuesOf(made))] : []),
    ...(known.length > 0 ? [CompiledQuery.raw(raisingText(known.length), valuesOf(known))] : []),
  ];
}

const places = (rows: readonly number[]) => rows.map(() => '(?, ?, ?, ?)').join(', ');

const makingText = textsBySize(
  (rows) => `insert or rollback into counters ("window", key, used, used_together) values ${places(rows)}`,
);

const raisingText = textsBySize(
  (rows) => `update or rollback counters set used = wanted.column3, used_together = wanted.column4
    from (values ${places(rows)}) wanted where "window" = wanted.column1 and key = wanted.column2`,
);

/** PostgreSQL: an update that changes nothing locks the row; one that is missing is made. */
export function locking(tallies: readonly Tally[]): CompiledQuery<CounterRow> {
  return CompiledQuery.raw(lockingText(tallies.length), valuesOf(tallies));
}

export function overwriting(tallies: readonly Tally[]): readonly CompiledQuery[] {
  if (tallies.length === 0) return [];
  return [CompiledQuery.raw(overwritingText(tallies.length), valuesOf(tallies))];
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

const overwritingText = textsBySize(
  (rows) => `${upsert(rows)} used = excluded.used, used_together = excluded.used_together`,
);

export function removing(tallies: readonly Tally[]): CompiledQuery {
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
