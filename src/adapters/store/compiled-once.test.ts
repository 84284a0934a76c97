import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { expect, it } from 'vitest';
import { fill, slot } from './compiled-once.ts';
import type { Tables } from './tables.ts';

const database = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});
const query = database
  .selectFrom('counters')
  .select('used')
  .where('key', '=', slot<string>('key'))
  .where('used', '<', 7)
  .where('window', '=', slot<string>('window'))
  .limit(slot<number>('limit'))
  .compile();

it('a compiled query takes its values by name, in the order of its text, and can be filled again', () => {
  expect(fill(query, { limit: 3, window: 'w', key: 'k' }).parameters).toEqual(['k', 7, 'w', 3]);
  expect(fill(query, { limit: 4, window: 'x', key: 'l' }).parameters).toEqual(['l', 7, 'x', 4]);
});

it('a forgotten value is a fault of ours', () => {
  expect(() => fill(query, { key: 'k', limit: 3 })).toThrow('a query lacks its value window');
});
