import { CompiledQuery } from 'kysely';
import type { Counter } from '../../core/access/quota.ts';
import { order } from '../../core/order.ts';
import type { Reserved } from '../../ports/counter-store.ts';
import type { Engine, Queries } from './tables.ts';
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
    // One statement only reads, and what was read holds until the other has written: on SQLite that needs no savepoint.
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

interface Tally {
  readonly counter: Counter;
  used: number;
  raised: boolean;
}

async function decide(
  queries: Queries,
  engine: Engine,
  batch: readonly Waiting[],
): Promise<readonly Reserved[]> {
  const tallies = talliesOf(batch);
  // A fixed order keeps two processes from waiting for each other.
  const inOrder = [...tallies.values()].sort(
    ({ counter: left }, { counter: right }) => order(left.window, right.window) || order(left.key, right.key),
  );
  const { rows } = await queries.executeQuery<CounterRow>(
    engine === 'sqlite' ? reading(inOrder) : locking(inOrder),
  );
  for (const { key, window, used } of rows) {
    const tally = tallies.get(nameOf({ key, window }));
    if (tally !== undefined) tally.used = used;
  }
  const results = batch.map(({ counters }) => grant(counters, tallies));
  const raised = inOrder.filter((tally) => tally.raised);
  if (raised.length > 0) await queries.executeQuery(writing(raised, engine));
  const unused = inOrder.filter(({ used }) => used === 0);
  // Whoever asks in vain leaves nothing behind. Where nobody was granted anything, all of it is undone anyway.
  if (engine === 'postgres' && raised.length > 0 && unused.length > 0)
    await queries.executeQuery(removing(unused));
  return results;
}

function someGranted(results: readonly Reserved[]): boolean {
  return results.some(({ granted }) => granted);
}

function grant(counters: readonly Counter[], tallies: ReadonlyMap<string, Tally>): Reserved {
  const asked = counters.flatMap((counter) => tallies.get(nameOf(counter)) ?? []);
  const granted = counters.every(({ limit }, index) => (asked[index]?.used ?? 0) < limit);
  if (granted) {
    for (const tally of asked) {
      tally.used += 1;
      tally.raised = true;
    }
  }
  return { granted, used: asked.map(({ used }) => used) };
}

interface CounterRow {
  readonly key: string;
  readonly window: string;
  readonly used: number;
}

function talliesOf(batch: readonly Waiting[]): Map<string, Tally> {
  const tallies = new Map<string, Tally>();
  for (const { counters } of batch) {
    for (const counter of counters) {
      const name = nameOf(counter);
      if (!tallies.has(name)) tallies.set(name, { counter, used: 0, raised: false });
    }
  }
  return tallies;
}

function nameOf({ key, window }: Pick<Counter, 'key' | 'window'>): string {
  return `${key} ${window}`;
}

function reading(tallies: readonly Tally[]): CompiledQuery<CounterRow> {
  const places = tallies.map(() => '("window" = ? and key = ?)').join(' or ');
  const values = tallies.flatMap(({ counter: { key, window } }) => [window, key]);
  return CompiledQuery.raw(`select key, window, used from counters where ${places}`, values);
}

/** An update that changes nothing locks the row; one that is missing is made. */
function locking(tallies: readonly Tally[]): CompiledQuery<CounterRow> {
  const { text, values } = upsert(tallies, 'postgres');
  return CompiledQuery.raw(`${text} set used = counters.used returning key, "window", used`, values);
}

function removing(tallies: readonly Tally[]): CompiledQuery {
  const places = tallies.map((_, index) => `($${2 * index + 1}, $${2 * index + 2})`).join(', ');
  const values = tallies.flatMap(({ counter: { key, window } }) => [key, window]);
  return CompiledQuery.raw(`delete from counters where used = 0 and (key, "window") in (${places})`, values);
}

function writing(tallies: readonly Tally[], engine: Engine): CompiledQuery {
  const { text, values } = upsert(tallies, engine);
  return CompiledQuery.raw(`${text} set used = excluded.used`, values);
}

function upsert(tallies: readonly Tally[], engine: Engine) {
  const values = tallies.flatMap(({ counter: { key, window }, used }) => [window, key, used]);
  const places = tallies.map((_, index) => placesOf(index, engine)).join(', ');
  const text = `insert into counters ("window", key, used) values ${places} on conflict ("window", key) do update`;
  return { text, values };
}

function placesOf(index: number, engine: Engine): string {
  if (engine === 'sqlite') return '(?, ?, ?)';
  return `($${3 * index + 1}, $${3 * index + 2}, $${3 * index + 3})`;
}
