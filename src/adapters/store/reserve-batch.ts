import { CompiledQuery } from 'kysely';
import type { Counter } from '../../core/access/quota.ts';
import { order } from '../../core/order.ts';
import type { Reserved } from '../../ports/counter-store.ts';
import type { Engine, Queries, Tables } from './tables.ts';
import type { Writes } from './writes.ts';

/** A request for uses that waits for its batch. */
interface Waiting {
  readonly counters: readonly Counter[];
  resolve(reserved: Reserved): void;
  reject(fault: unknown): void;
}

/** Enough for everybody who comes while a transaction begins, and few enough for one statement. */
const BATCH_MAX = 64;

/**
 * All requests that come before a transaction has begun are decided in it, one after the other: two statements serve as
 * many callers as there are. On both engines the rows are held by nobody else meanwhile.
 */
export function batchedReserve(
  writes: Writes,
  engine: Engine,
): (counters: readonly Counter[]) => Promise<Reserved> {
  const state: { open: Waiting[] | null } = { open: null };
  const start = (batch: Waiting[]) => {
    const close = () => {
      if (state.open === batch) state.open = null;
    };
    const work = (queries: Queries) => {
      close();
      return decide(queries, engine, batch);
    };
    // On SQLite that needs no savepoint: when one of the statements fails, all of the transaction is undone.
    const decided = engine === 'sqlite' ? writes.one(work) : writes.unit(work, { keeps: someGranted });
    decided.then(
      (results) => {
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] ?? REFUSED);
      },
      (fault: unknown) => {
        close();
        for (const { reject } of batch) reject(fault);
      },
    );
  };
  return (counters) =>
    new Promise((resolve, reject) => {
      const waiting = { counters, resolve, reject };
      if (state.open !== null && state.open.length < BATCH_MAX) {
        state.open.push(waiting);
        return;
      }
      state.open = [waiting];
      start(state.open);
    });
}

/** Every request has its answer; this one stands for what cannot be. */
const REFUSED: Reserved = { granted: false, used: [] };

/** A row with its two counts. */
interface Tally {
  readonly key: string;
  readonly window: string;
  used: number;
  together: number;
  /** It is in the store already. */
  kept: boolean;
  raised: boolean;
}

/** One of the counters that a request wants to raise. */
interface Wanted {
  readonly limit: number;
  readonly of: 'used' | 'together';
  readonly tally: Tally;
}

async function decide(
  queries: Queries,
  engine: Engine,
  batch: readonly Waiting[],
): Promise<readonly Reserved[]> {
  const tallies = new Map<string, Tally>();
  const wanted = batch.map(({ counters }) => counters.map((counter) => wantedOf(counter, tallies)));
  // A fixed order keeps two processes from waiting for each other.
  const inOrder = [...tallies].sort(([left], [right]) => order(left, right)).map(([, tally]) => tally);
  const { rows } = await queries.executeQuery<CounterRow>(
    engine === 'sqlite' ? reading(inOrder) : locking(inOrder),
  );
  for (const row of rows) {
    const tally = tallies.get(nameOf(row));
    if (tally === undefined) continue;
    tally.used = row.used;
    tally.together = row.used_together;
    tally.kept = true;
  }
  const results = wanted.map(grant);
  const raised = inOrder.filter((tally) => tally.raised);
  const changes = engine === 'sqlite' ? writing(raised) : overwriting(raised);
  for (const change of changes) await queries.executeQuery(change);
  const unused = inOrder.filter(({ used, together }) => used === 0 && together === 0);
  // Whoever asks in vain leaves nothing behind. Where nobody was granted anything, all of it is undone anyway.
  if (engine === 'postgres' && raised.length > 0 && unused.length > 0)
    await queries.executeQuery(removing(unused));
  return results;
}

function someGranted(results: readonly Reserved[]): boolean {
  return results.some(({ granted }) => granted);
}

function wantedOf({ key, window, limit, together }: Counter, tallies: Map<string, Tally>): Wanted {
  return { limit, of: together ? 'together' : 'used', tally: tallyOf({ key, window }, tallies) };
}

/** The same for all in the batch who want to raise the same row. */
function tallyOf({ key, window }: Pick<Tally, 'key' | 'window'>, tallies: Map<string, Tally>): Tally {
  const name = nameOf({ key, window });
  const known = tallies.get(name);
  if (known !== undefined) return known;
  const tally = { key, window, used: 0, together: 0, kept: false, raised: false };
  tallies.set(name, tally);
  return tally;
}

function grant(wanted: readonly Wanted[]): Reserved {
  const granted = wanted.every(({ limit, of, tally }) => tally[of] < limit);
  if (granted) {
    for (const { of, tally } of wanted) {
      tally[of] += 1;
      tally.raised = true;
    }
  }
  return { granted, used: wanted.map(({ of, tally }) => tally[of]) };
}

type CounterRow = Tables['counters'];

function nameOf({ key, window }: Pick<Tally, 'key' | 'window'>): string {
  return `${window} ${key}`;
}

function reading(tallies: readonly Tally[]): CompiledQuery<CounterRow> {
  const places = tallies.map(() => '("window" = ? and key = ?)').join(' or ');
  const values = tallies.flatMap(({ key, window }) => [window, key]);
  return CompiledQuery.raw(`select key, window, used, used_together from counters where ${places}`, values);
}

/**
 * An upsert of many rows can fail halfway and be undone alone, for which SQLite copies every page that it changes: a fifth of all
 * that the counters cost. These two undo the whole transaction instead, and so need no copies.
 */
function writing(tallies: readonly Tally[]): readonly CompiledQuery[] {
  const known = tallies.filter(({ kept }) => kept);
  const made = tallies.filter(({ kept }) => !kept);
  return [made.length > 0 ? making(made) : null, known.length > 0 ? raising(known) : null].filter(
    (change) => change !== null,
  );
}

function making(tallies: readonly Tally[]): CompiledQuery {
  const text = `insert or rollback into counters ("window", key, used, used_together) values ${places(tallies)}`;
  return CompiledQuery.raw(text, valuesOf(tallies));
}

function raising(tallies: readonly Tally[]): CompiledQuery {
  const text = `update or rollback counters set used = wanted.column3, used_together = wanted.column4 from (values ${places(tallies)}) wanted
    where "window" = wanted.column1 and key = wanted.column2`;
  return CompiledQuery.raw(text, valuesOf(tallies));
}

function places(tallies: readonly Tally[]): string {
  return tallies.map(() => '(?, ?, ?, ?)').join(', ');
}

/** An update that changes nothing locks the row; one that is missing is made. */
function locking(tallies: readonly Tally[]): CompiledQuery<CounterRow> {
  const text = `${upsert(tallies)} set used = counters.used returning key, "window", used, used_together`;
  return CompiledQuery.raw(text, valuesOf(tallies));
}

function overwriting(tallies: readonly Tally[]): readonly CompiledQuery[] {
  if (tallies.length === 0) return [];
  return [
    CompiledQuery.raw(
      `${upsert(tallies)} set used = excluded.used, used_together = excluded.used_together`,
      valuesOf(tallies),
    ),
  ];
}

function upsert(tallies: readonly Tally[]): string {
  const rows = tallies
    .map((_, index) => `(${[1, 2, 3, 4].map((column) => `$${4 * index + column}`).join(', ')})`)
    .join(', ');
  return `insert into counters ("window", key, used, used_together) values ${rows} on conflict ("window", key) do update`;
}

function removing(tallies: readonly Tally[]): CompiledQuery {
  const rows = tallies.map((_, index) => `($${2 * index + 1}, $${2 * index + 2})`).join(', ');
  const values = tallies.flatMap(({ key, window }) => [key, window]);
  const unused = 'used = 0 and used_together = 0';
  return CompiledQuery.raw(`delete from counters where ${unused} and (key, "window") in (${rows})`, values);
}

function valuesOf(tallies: readonly Tally[]) {
  return tallies.flatMap(({ key, window, used, together }) => [window, key, used, together]);
}
