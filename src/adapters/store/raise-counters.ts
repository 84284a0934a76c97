import { CompiledQuery } from 'kysely';
import type { Counter } from '../../core/access/quota.ts';
import type { CounterRow } from './counter-rows.ts';
import { prepared } from './engine/prepared.ts';

/** A use whose counters are one row, which one statement can test and raise. */
export interface PlainUse {
  readonly counters: readonly Counter[];
  readonly name: string;
  readonly key: string;
  readonly window: string;
  /** The limits of the row's two counts; null where the use does not raise one. */
  readonly own: number | null;
  readonly together: number | null;
}

export function plainUse(counters: readonly Counter[]): PlainUse | null {
  const [first] = counters;
  if (first === undefined) return null;
  const { key, window } = first;
  // A row that is not there is made without a test.
  const isPlain = counters.every((each) => each.key === key && each.window === window && each.limit > 0);
  if (!isPlain) return null;
  const own = counters.find((each) => each.together !== true)?.limit ?? null;
  const together = counters.find((each) => each.together === true)?.limit ?? null;
  return { counters, name: nameOf(first), key, window, own, together };
}

export function nameOf({ key, window }: Pick<CounterRow, 'key' | 'window'>): string {
  return `${window} ${key}`;
}

/** How many uses of a row there are room for, by the counts that are known of it. */
export function roomIn(
  { own, together }: PlainUse,
  row: Pick<CounterRow, 'used' | 'used_together'> = NOT_THERE,
): number {
  const left = (limit: number | null, used: number) =>
    limit === null ? Number.POSITIVE_INFINITY : limit - used;
  return Math.min(left(own, row.used), left(together, row.used_together));
}

const NOT_THERE = { used: 0, used_together: 0 };

/** So many uses of one row, all or none. */
export interface Raise {
  readonly use: PlainUse;
  readonly times: number;
}

/** The rows that were raised, as they are now; all have the same limits, and no row is in it twice. */
export function raising(raises: readonly Raise[]): CompiledQuery<CounterRow> {
  const [first] = raises;
  const limits = [first?.use.own ?? null, first?.use.together ?? null];
  const names = namesOf(raises.map(({ use }) => use));
  return CompiledQuery.raw(RAISING, [...names, ...limits, raises.map(({ times }) => times)]);
}

/** A limit that is null is that of a count which is not raised. */
const RAISING = prepared(
  'raise_counters',
  `insert into counters ("window", key, used, used_together)
    select "window", key, times * ($3::bigint is not null)::int, times * ($4::bigint is not null)::int
      from unnest($1::text[], $2::text[], $5::int[]) wanted("window", key, times)
    on conflict ("window", key) do update
      set used = counters.used + excluded.used, used_together = counters.used_together + excluded.used_together
      where ($3 is null or counters.used + excluded.used <= $3)
        and ($4 is null or counters.used_together + excluded.used_together <= $4)
    returning key, "window", used, used_together`,
);

export function counting(uses: readonly PlainUse[]): CompiledQuery<CounterRow> {
  return CompiledQuery.raw(COUNTING, namesOf(uses));
}

const COUNTING = prepared(
  'count_counters',
  `select found.key, found."window", found.used, found.used_together from unnest($1::text[], $2::text[]) wanted("window", key)
    cross join lateral (
      select key, "window", used, used_together from counters
        where counters."window" = wanted."window" and counters.key = wanted.key
        -- One by one: a join could be planned for an empty table and read all of a full one.
        limit 1
    ) found`,
);

function namesOf(uses: readonly PlainUse[]): unknown[] {
  return [uses.map(({ window }) => window), uses.map(({ key }) => key)];
}
