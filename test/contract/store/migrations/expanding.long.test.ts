import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HISTORY } from '../../../../src/adapters/store/migrations/history.ts';
import { migrate } from '../../../../src/adapters/store/migrations/migrate.ts';
import type { Migration } from '../../../../src/adapters/store/migrations/step.ts';
import type { Connected } from '../../../../src/adapters/store/store.ts';
import { aReceipt, NOON, receiptId } from '../../../../tools/samples/store-receipts.ts';
import { useEmptyPostgres } from '../../../support/storing/postgres-places.ts';
import { contractions, shapeOf } from '../../../support/storing/schema-shape.ts';
import { type NewPlace, newEmptySqlitePlace, type Place } from '../../../support/storing/stores.ts';

/** Steps behind this one only add: programs of two releases may run on one store. */
const FIRST = 5;
const newPostgres = useEmptyPostgres();
const ENGINES: readonly [string, NewPlace][] = [
  ['SQLite', newEmptySqlitePlace],
  ['PostgreSQL', () => newPostgres()],
];

const step = (statement: string): Migration => ({
  name: 'planted',
  up: async (queries) => {
    await sql.raw(statement).execute(queries);
  },
});

describe.each(ENGINES)('a step of the schema on %s', (engine, newPlace) => {
  let place: Place;
  let connected: Connected;
  beforeEach(async () => {
    place = await newPlace();
    connected = await place.connect();
  });
  afterEach(async () => {
    await connected.database.destroy();
    await place.remove();
  });

  /** What the last of these steps takes away from a program that knows only those before it. */
  const takenAway = async (history: readonly Migration[]) => {
    await migrate(connected, history.slice(0, -1));
    const before = await shapeOf(connected);
    await migrate(connected, history);
    return contractions(before, await shapeOf(connected));
  };

  it.each(HISTORY.slice(FIRST).map(({ name }, index) => [FIRST + index + 1, name] as const))(
    '%i, %s, only adds to the one before it',
    async (version) => {
      expect(await takenAway(HISTORY.slice(0, version))).toEqual([]);
    },
  );

  it.each([
    ['drops a table', 'drop table quotes', /^quotes\.\w+ is gone$/],
    ['drops a column', 'alter table jobs drop column state', /^jobs\.state is gone$/],
    ['renames a column', 'alter table jobs rename column state to words', /^jobs\.state is gone$/],
    [
      'demands a new column',
      'create table more (a integer); alter table counters add column more integer not null',
      /^counters\.more is new and has to be written$/,
    ],
    ['forbids two of a kind', 'create unique index one on jobs (state)', /^jobs is unique by state now$/],
    [
      'forbids two of a kind by an expression',
      'create unique index one on jobs (lower(state))',
      /^jobs is unique by an expression now$/,
    ],
  ])('is found out when it %s', async (_, statement, taken) => {
    // SQLite runs one statement at a time and adds no such column to a table; there the table is made anew.
    const planted =
      engine === 'SQLite' && statement.includes('not null')
        ? { name: 'planted', up: demandInSqlite }
        : step(statement.split('; ').at(-1) ?? '');
    const found = await takenAway([...HISTORY, planted]);
    expect(found.length).toBeGreaterThan(0);
    for (const line of found) expect(line).toMatch(taken);
  });

  it('is found out when it changes a type', async () => {
    const planted =
      engine === 'SQLite'
        ? { name: 'planted', up: retypeInSqlite }
        : step('alter table jobs alter column state type varchar(9)');
    expect(await takenAway([...HISTORY, planted])).toEqual([
      expect.stringMatching(/^jobs\.state was text and is /),
    ]);
  });

  it.each([
    ['a table with a key of its own', 'create table more (id text primary key, n integer not null)'],
    ['a column that may be empty', 'alter table jobs add column more text'],
    ['a column with a default', "alter table jobs add column more text not null default ''"],
    ['an index', 'create index more on jobs (state)'],
  ])('may add %s', async (_, statement) => {
    expect(await takenAway([...HISTORY, step(statement)])).toEqual([]);
  });

  it('that another process takes lets this one go on, and a second start of it is refused', async () => {
    const store = await place.open();
    const later = [
      step('alter table live_receipts add column more text'),
      step("alter table counters add column more text not null default ''"),
      step("alter table payments add column more text not null default ''"),
      step('create table more (id text primary key)'),
    ];
    await store.receipts.add(aReceipt({ id: receiptId(1) }), 'key');
    await migrate(connected, [...HISTORY, ...later]);
    // On statements that were prepared before, and on new ones.
    await store.receipts.add(aReceipt({ id: receiptId(2) }), 'key');
    for (const n of [1, 2])
      expect(await store.receipts.byId(receiptId(n))).toMatchObject({ id: receiptId(n) });
    const counter = { key: 'caller', window: '2026-11-15', limit: 5 };
    expect(await store.counters.reserve([counter])).toEqual({ granted: true, used: [1] });
    const claim = {
      key: 'payment',
      requestKey: 'request',
      identifier: null,
      from: 'network',
      holder: 'holder',
    };
    const held = { claimedAt: NOON, heldUntil: new Date(NOON.getTime() + 1_000) };
    expect(await store.payments.claim({ ...claim, ...held })).toEqual({ kind: 'claimed' });
    expect(await store.health.schema()).toBe('newer');
    await expect(place.open()).rejects.toThrow(
      /^the database has schema version \d+, .*: run a newer release$/,
    );
  });
});

const demandInSqlite: Migration['up'] = async (queries) => {
  await sql`drop table counters`.execute(queries);
  await sql`create table counters ("window" text not null, key text not null, used integer not null,
    used_together integer not null default 0,
    more integer not null, primary key ("window", key)) without rowid`.execute(queries);
};

const retypeInSqlite: Migration['up'] = async (queries) => {
  await sql`drop table jobs`.execute(queries);
  await sql`create table jobs (name text primary key not null, state blob, holder text, held_until bigint,
    started_at bigint, finished_at bigint)`.execute(queries);
};
