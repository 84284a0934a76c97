import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Queries } from '../engine/tables.ts';
import type { Writes } from '../engine/writes.ts';
import { migrate } from '../migrations/migrate.ts';
import { type Control, groupCommit } from './group-commit.ts';
import { connectSqlite } from './open.ts';
import { walSync } from './wal-sync.ts';

describe('group commit', () => {
  let folder: string;
  let database: Queries;
  let writes: Writes;
  let control: Control;
  let ran: string[];
  /** Statements that fail the next time they run. */
  let failing: Set<string>;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-group-'));
    const connected = await connectSqlite(join(folder, 'assay.db'));
    await migrate(connected);
    ran = [];
    failing = new Set();
    const wal = walSync({
      sync: async () => void ran.push('sync'),
      close: async () => {},
    });
    ({ database, control } = connected);
    const watched: Control = (statement) => {
      ran.push(statement);
      if (failing.delete(statement)) throw new Error(`no ${statement}`);
      connected.control(statement);
    };
    writes = groupCommit(database, { control: watched, wal });
  });
  afterEach(async () => {
    await database.destroy();
    await rm(folder, { recursive: true });
  });

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

  it('puts the writes of one turn into one transaction and answers after the sync of its commit', async () => {
    await Promise.all(
      ['a', 'b', 'c'].map(async (key) => {
        await writes.one(insert(key));
        ran.push(`answer ${key}`);
      }),
    );
    const first = ['begin immediate', 'commit', 'sync'];
    expect(ran).toEqual([...first, 'answer a', 'answer b', 'answer c']);
    await writes.one(insert('d'));
    expect(count('begin immediate')).toBe(2);
    expect(await keys()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('splits a crowd, so that no transaction is long', async () => {
    await Promise.all(Array.from({ length: 600 }, (_, n) => writes.one(insert(String(n)))));
    expect(count('commit')).toBe(3);
  });

  it('undoes a write that throws or is not kept, and nothing else', async () => {
    const results = await Promise.allSettled([
      writes.one(insert('a')),
      writes.unit(async (queries) => {
        await insert('b')(queries);
        await insert('a')(queries);
      }),
      writes.unit(insert('c'), { keeps: () => false }),
      writes.one(insert('d')),
    ]);
    expect(statuses(results)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(await keys()).toEqual(['a', 'd']);
  });

  it.each<[string, () => Promise<unknown>, string, string[]]>([
    ['is kept', () => writes.unit(insert('a')), 'fulfilled', ['a']],
    ['is not kept', () => writes.unit(insert('a'), { keeps: () => false }), 'fulfilled', []],
    [
      'throws',
      () =>
        writes.unit(async (queries) => {
          await insert('a')(queries);
          throw new Error('not this time');
        }),
      'rejected',
      [],
    ],
  ])('needs no savepoint for a write that is alone and %s', async (_, write, status, expected) => {
    const [result] = await Promise.allSettled([write()]);
    expect(result?.status).toBe(status);
    expect(await keys()).toEqual(expected);
    expect(count('savepoint one_write')).toBe(0);
    await writes.one(insert('b'));
    expect(await keys()).toEqual([...expected, 'b']);
  });

  it('writes nothing when a look has the answer', async () => {
    const look = async () => ({ key: 'known' });
    expect(await writes.unit(insert('a'), { look })).toEqual({ key: 'known' });
    expect(await writes.unit(insert('b'), { look: async () => null })).toEqual({ key: 'b' });
    expect(await keys()).toEqual(['b']);
  });

  it.each(['begin immediate', 'commit'])(
    'fails the whole group when %s fails, and goes on after it',
    async (what) => {
      failing.add(what);
      const results = await Promise.allSettled(['a', 'b'].map((key) => writes.one(insert(key))));
      expect(statuses(results)).toEqual(['rejected', 'rejected']);
      expect(await keys()).toEqual([]);
      await writes.one(insert('c'));
      expect(await keys()).toEqual(['c']);
    },
  );

  it('runs each write alone when SQLite gave up the whole transaction', async () => {
    const lose = async (queries: Queries) => {
      await insert('b')(queries);
      throw new Error('disk is full');
    };
    failing.add('rollback to one_write');
    const results = await Promise.allSettled([
      writes.one(insert('a')),
      writes.unit(lose),
      writes.one(insert('c')),
    ]);
    expect(statuses(results)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await keys()).toEqual(['a', 'c']);
  });

  it('notices that a single statement lost the whole transaction, too', async () => {
    const lost = { rounds: 0 };
    const lose = async (): Promise<never> => {
      lost.rounds += 1;
      control('rollback');
      throw new Error('disk is full');
    };
    const results = await Promise.allSettled([
      writes.one(insert('a')),
      writes.one(lose),
      writes.one(insert('b')),
    ]);
    expect(statuses(results)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await keys()).toEqual(['a', 'b']);
    expect(lost.rounds).toBe(2);
  });

  it('undoes all of what runs without a savepoint when it fails halfway, and nothing else', async () => {
    const half = async (queries: Queries) => {
      await insert('b')(queries);
      throw new Error('the file is damaged');
    };
    const results = await Promise.allSettled([
      writes.one(insert('a')),
      writes.one(half),
      writes.one(insert('c')),
    ]);
    expect(statuses(results)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await keys()).toEqual(['a', 'c']);
  });

  it('needs no savepoint for a single statement', async () => {
    await writes.one(insert('a'));
    const results = await Promise.allSettled([
      writes.one(insert('b')),
      writes.one(insert('a')),
      writes.one(insert('c')),
    ]);
    expect(statuses(results)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await keys()).toEqual(['a', 'b', 'c']);
    expect(count('savepoint one_write')).toBe(0);
  });

  it('waits at its end for what was begun, and takes nothing after it', async () => {
    const write = writes.one(insert('a'));
    await writes.end();
    expect(await keys()).toEqual(['a']);
    await write;
    await expect(writes.one(insert('b'))).rejects.toThrow('the store is closed');
  });

  it('refuses more than it can hold', async () => {
    const crowd = Array.from({ length: 10_001 }, (_, n) => writes.one(insert(String(n))));
    const refused = (await Promise.allSettled(crowd)).filter(({ status }) => status === 'rejected');
    expect(refused).toMatchObject([{ reason: { message: 'too many writes are waiting for the store' } }]);
  });
});
