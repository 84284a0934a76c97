import { createHook } from 'node:async_hooks';
import { type Kysely, sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import type { Tables } from '../engine/tables.ts';
import { connectSqlite } from './open.ts';

const { database } = await connectSqlite(':memory:');
afterAll(() => database.destroy());

async function read(from: Pick<Kysely<Tables>, 'getExecutor'>, value: number): Promise<number> {
  const { rows } = await sql<{ value: number }>`select ${value} as value`.execute(from);
  return rows[0]?.value ?? -1;
}

/** Promises made for one read when so many are asked for at once: every wake-up of a waiter makes at least one. */
async function promisesOfOne(readers: number): Promise<number> {
  let made = 0;
  const hook = createHook({
    init: (_, type) => {
      if (type === 'PROMISE') made += 1;
    },
  });
  hook.enable();
  await Promise.all(Array.from({ length: readers }, (_, n) => read(database, n)));
  hook.disable();
  return made / readers;
}

describe('readers of one SQLite connection', () => {
  it('are woken once, however many of them wait', async () => {
    expect(await promisesOfOne(1_000)).toBeLessThan(2 * (await promisesOfOne(100)));
  });

  it('are served in the order they came', async () => {
    const served: number[] = [];
    await Promise.all([1, 2, 3, 4].map(async (n) => served.push(await read(database, n))));
    expect(served).toEqual([1, 2, 3, 4]);
  });

  it('wait for whoever has the connection, and go on after one that fails', async () => {
    const served: string[] = [];
    const held = database.connection().execute(async (connection) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      await read(connection, 1);
      served.push('holder');
    });
    const failing = sql`select from nothing`.execute(database).catch(() => served.push('failed'));
    const reading = read(database, 2).then(() => served.push('reader'));
    await Promise.all([held, failing, reading]);
    expect(served).toEqual(['holder', 'failed', 'reader']);
  });
});
