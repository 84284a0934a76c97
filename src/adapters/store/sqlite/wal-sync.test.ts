import { existsSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectSqlite } from './open.ts';
import { walFile, walSync } from './wal-sync.ts';

describe('the sync of the write-ahead log', () => {
  /** Syncs that were started and have not returned. */
  const started: { readonly succeed: () => void; readonly fail: (fault: Error) => void }[] = [];
  const wal = () =>
    walSync({
      sync: () => new Promise((succeed, fail) => started.push({ succeed, fail })),
      close: async () => {},
    });
  beforeEach(() => {
    started.length = 0;
  });
  const turn = () => new Promise((done) => setImmediate(done));

  it('is not needed without a commit', async () => {
    await wal().synced();
    expect(started).toHaveLength(0);
  });

  it('covers all commits before its start and none after it', async () => {
    const { committed, synced } = wal();
    const done: string[] = [];
    committed();
    const first = synced().then(() => done.push('first'));
    committed();
    const later = [synced(), synced()].map((one) => one.then(() => done.push('later')));
    expect(started).toHaveLength(1);
    started[0]?.succeed();
    await turn();
    expect(done).toEqual(['first']);
    expect(started).toHaveLength(2);
    started[1]?.succeed();
    await Promise.all([first, ...later]);
    await synced();
    expect(started).toHaveLength(2);
  });

  it('that failed fails all who wait for it, and whatever is committed later', async () => {
    const { check, committed, synced } = wal();
    committed();
    const waiting = Promise.allSettled([synced(), synced()]);
    check();
    started[0]?.fail(new Error('input/output error'));
    expect(await waiting).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
    expect(check).toThrow('the store could not sync its log');
    await expect(synced()).rejects.toThrow('the store could not sync its log');
    expect(started).toHaveLength(1);
  });

  it('is over before the file is closed', async () => {
    const { committed, synced, close } = wal();
    committed();
    const write = synced();
    const order: string[] = [];
    const closing = close().then(() => order.push('closed'));
    await turn();
    order.push('synced');
    started[0]?.succeed();
    await Promise.all([write, closing]);
    expect(order).toEqual(['synced', 'closed']);
  });
});

describe('the file of the write-ahead log', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-wal-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const write = async (file: string) => {
    const { control, database, writes } = await connectSqlite(file);
    control('create table kept (one)');
    await writes.one(() => Promise.resolve(control('insert into kept values (1)')));
    return database;
  };

  it('lies beside the database, also when that was opened by a link', async () => {
    await symlink(join(folder, 'real.db'), join(folder, 'link.db'));
    await (await write(join(folder, 'real.db'))).destroy();
    const database = await connectSqlite(join(folder, 'link.db'));
    await database.writes.one(() => Promise.resolve(database.control('insert into kept values (2)')));
    expect(existsSync(join(folder, 'link.db-wal'))).toBe(false);
    await database.database.destroy();
  });

  it('is not there for a database in memory', async () => {
    await (await write(':memory:')).destroy();
    expect(existsSync(':memory:-wal')).toBe(false);
  });

  it('that cannot be opened fails the sync', async () => {
    const { sync, close } = walFile(join(folder, 'missing-wal'));
    await expect(sync()).rejects.toThrow('ENOENT');
    await close();
  });
});
