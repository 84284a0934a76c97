import { expect, it } from 'vitest';
import { loadSqlite } from './module.ts';

const module = { DatabaseSync: class {} };
const absent = async () => {
  throw new Error('not installed');
};

it.each<[string, unknown, () => Promise<unknown>]>([
  ['the built-in one, and does not look further', module, absent],
  ['the package, where nothing is built in', undefined, async () => module],
])('SQLite is %s', async (_, builtIn, installed) => {
  expect(await loadSqlite({ builtIn: () => builtIn, package: installed })).toBe(module);
});

it.each<[string, () => Promise<unknown>, string]>([
  [
    'is missing',
    absent,
    'this Node has no built-in SQLite and the package @photostructure/sqlite is not installed: use Node 22.13 or later, or install assay without --omit=optional',
  ],
  ['is something else', async () => ({}), 'the package @photostructure/sqlite has no DatabaseSync'],
])('says so in one line when the package %s', async (_, installed, line) => {
  await expect(loadSqlite({ builtIn: () => undefined, package: installed })).rejects.toThrow(line);
});
