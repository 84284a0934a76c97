import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Queries } from '../engine/tables.ts';
import type { Writes } from '../engine/writes.ts';
import { migrate } from '../migrations/migrate.ts';
import { type Control, groupCommit } from './group-commit.ts';
import { connectSqlite } from './open.ts';
import { walSync } from './wal-sync.ts';

/** Holds a sync until it is opened. */
function gate() {
  const parts = { open: () => {} };
  const opened = new Promise<void>((resolve) => {
    parts.open = resolve;
  });
  return { opened, open: () => parts.open() };
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((done) => setImmediate(done));
}

describe('durability of a group commit', () => {
  let database: Queries;
  let writes: Writes;
  let ran: string[];
  /** Statements that fail the next time they run. */
  let failing: Set<string>;
  /** What the next syncs of the log wait for; without any they return at once. */
  let syncs: (() => Promise<void>)[];

  beforeEach(async () => {
    const connected = await connectSqlite(':memory:');
    await migrate(connected);
    ({ database } = connected);
    ran = [];
    failing = new Set();
    syncs = [];
    const wal = walSync({
      async sync() {
        ran.push('sync');
        await syncs.shift()?.();
        ran.push('synced');
      },
      close: async () => {},
    });
    const control: Control = (statement) => {
      ran.push(statement);
      if (failing.delete(statement)) throw new Error(`no ${statement}`);
      connected.control(statement);
    };
    writes = groupCommit(database, { control, wal });
  });
  afterEach(() => database.destroy());

  const insert = (key: string) => (queries: Queries) =>
    queries
      .insertInto('counters')
      .values({ key, window: '2026-11-15', used: 1, used_together: 0 })
      .returning('key')
      .executeTakeFirstOrThrow();
  const keys = async () =>
    (await database.selectFrom('counters').select('key').orderBy('key').execute()).map(({ key }) => key);
  const count = (statement: string) => ran.filter((one) => one === statement).length;
  const statuses = (results: readonly PromiseSettledResult<unknown>[]) => results.map(({ status }) => status);

  it('lets readers see a commit during its sync, and commits the next group after it', async () => {
    const slow = gate();
    syncs.push(() => slow.opened);
    const first = writes.one(insert('a'));
    await until(() => count('sync') === 1);
    const others = ['b', 'c'].map((key) => writes.one(insert(key)));
    expect(await keys()).toEqual(['a']);
    expect(ran).toEqual(['begin immediate', 'commit', 'sync']);
    slow.open();
    await Promise.all([first, ...others]);
    const round = ['begin immediate', 'commit', 'sync', 'synced'];
    expect(ran).toEqual([...round, ...round]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['a look that found its answer', () => writes.unit(insert('b'), { look: async () => ({ key: 'a' }) })],
    ['a unit that keeps nothing', () => writes.unit(insert('b'), { keeps: () => false })],
  ])('answers %s only after the sync of what it may have seen', async (_, write) => {
    const slow = gate();
    syncs.push(() => slow.opened);
    const first = writes.one(insert('a'));
    await until(() => count('sync') === 1);
    const answered = write().then(() => ran.push('answered'));
    await keys();
    expect(ran).not.toContain('answered');
    slow.open();
    await Promise.all([first, answered]);
    expect(ran.indexOf('answered')).toBeGreaterThan(ran.indexOf('synced'));
    expect(count('sync')).toBe(1);
  });

  it('fails what waited for a sync that failed, and takes no write after it', async () => {
    await writes.one(insert('a'));
    syncs.push(() => Promise.reject(new Error('input/output error')));
    const fault = 'the store could not sync its log; it takes no writes until it is reopened';
    await expect(writes.one(insert('b'))).rejects.toMatchObject({
      message: fault,
      cause: { message: 'input/output error' },
    });
    await expect(writes.one(insert('c'))).rejects.toThrow(fault);
    await expect(writes.unit(insert('d'), { isRepeatable: true })).rejects.toThrow(fault);
    expect([count('sync'), count('begin immediate')]).toEqual([2, 2]);
    // Committed, but nobody was told so.
    expect(await keys()).toEqual(['a', 'b']);
  });

  it('syncs the log unless every write of a group is repeatable', async () => {
    const repeatable = (key: string) => writes.unit(insert(key), { isRepeatable: true });
    await repeatable('a');
    await writes.one(insert('b'), { isRepeatable: true });
    await Promise.all([repeatable('c'), repeatable('d')]);
    expect(count('sync')).toBe(0);
    await writes.one(insert('e'));
    expect(count('sync')).toBe(1);
    await Promise.all([repeatable('f'), writes.one(insert('g')), repeatable('h')]);
    expect(count('sync')).toBe(2);
  });

  it('syncs the log for each write that needs it when SQLite gave up the transaction', async () => {
    failing.add('rollback to one_write');
    const results = await Promise.allSettled([
      writes.unit(insert('a'), { isRepeatable: true }),
      writes.unit(async () => {
        throw new Error('disk is full');
      }),
      writes.one(insert('b')),
    ]);
    expect(statuses(results)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(count('sync')).toBe(1);
    expect(await keys()).toEqual(['a', 'b']);
  });
});
