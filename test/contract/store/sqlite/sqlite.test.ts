import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../../../src/adapters/store/migrations/migrate.ts';
import { loadSqlite } from '../../../../src/adapters/store/sqlite/module.ts';
import { connectSqlite, openSqlite } from '../../../../src/adapters/store/sqlite/open.ts';
import { storeOn } from '../../../../src/adapters/store/store.ts';
import { aReceipt, receiptId } from '../../../../tools/samples/store-receipts.ts';

describe('an SQLite file', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-files-'));
    await writeFile(
      join(folder, 'plain.txt'),
      'This is no database, and it is long enough to say so.'.repeat(99),
    );
    await mkdir(join(folder, 'locked'), { mode: 0o000 });
  });
  afterAll(async () => {
    await chmod(join(folder, 'locked'), 0o700);
    await rm(folder, { recursive: true });
  });

  it.each([
    ['its folder is a file', 'plain.txt/assay.db', /: (ENOTDIR|EEXIST).*$/],
    ['it is a folder', 'locked', /: .*unable to open database file$/],
    ['it is something else', 'plain.txt', /: file is not a database$/],
  ])('is refused in one line that names it when %s', async (_, path, reason) => {
    const file = join(folder, path);
    const fault: unknown = await openSqlite({ file }).catch((thrown: unknown) => thrown);
    expect(fault).toBeInstanceOf(Error);
    const { message, cause } = Object(fault);
    expect(message).toMatch(reason);
    expect(message.startsWith(`cannot open the database file ${file}: `)).toBe(true);
    expect(message).not.toContain('\n');
    expect(cause).toBeInstanceOf(Error);
  });

  // Root reads every folder, so there this proves nothing.
  it.skipIf(process.getuid?.() === 0)('is refused when its folder may not be read', async () => {
    const file = join(folder, 'locked', 'assay.db');
    await expect(openSqlite({ file })).rejects.toThrow(`cannot open the database file ${file}: `);
  });

  it('is made together with its folder', async () => {
    const store = await openSqlite({ file: join(folder, 'new', 'deep', 'assay.db') });
    await store.close();
  });

  it('waits while another process is making the same file', async () => {
    const file = join(folder, 'contested.db');
    const { DatabaseSync } = await loadSqlite();
    const other = new DatabaseSync(file);
    other.exec('begin immediate');
    const opening = openSqlite({ file });
    await wait(50);
    other.exec('commit');
    other.close();
    await (await opening).close();
  });

  it('keeps every byte when it comes from a newer release', async () => {
    const file = join(folder, 'newer.db');
    await (await openSqlite({ file })).close();
    const { database, control } = await connectSqlite(file);
    control("insert into schema_migrations values (99, 'from the future', 0)");
    await database.selectFrom('counters').select('key').execute();
    await database.destroy();
    const hash = async () =>
      createHash('sha256')
        .update(await readFile(file))
        .digest('hex');
    const before = await hash();
    await expect(openSqlite({ file })).rejects.toThrow('the database has schema version 99');
    expect(await hash()).toBe(before);
  });

  it('leaves syncing to the group commit and keeps foreign keys', async () => {
    const { database } = await connectSqlite(join(folder, 'settings.db'));
    const { rows } = await sql<object>`select journal_mode, synchronous, foreign_keys, timeout
      from pragma_journal_mode, pragma_synchronous, pragma_foreign_keys, pragma_busy_timeout`.execute(
      database,
    );
    await database.destroy();
    expect({ ...rows[0] }).toEqual({ journal_mode: 'wal', synchronous: 1, foreign_keys: 1, timeout: 5_000 });
  });

  it('that is full fails the write that needs room and no other, and goes on when there is room', async () => {
    const file = join(folder, 'full.db');
    const connected = await connectSqlite(file);
    await migrate(connected);
    const { counters, receipts, close } = storeOn(connected);
    const caller = { key: 'caller', window: '2026-11-15', limit: 9 };
    await counters.reserve([caller]);
    await receipts.add(aReceipt({ id: receiptId(1) }), 'key');
    // Lower than the file already is: SQLite then takes what it is as the limit.
    connected.control('pragma max_page_count = 1');

    // In the form of older releases: a statement is never so large.
    const large = aReceipt({
      id: receiptId(2),
      task: 'x'.repeat(200_000),
      seen: null,
      salt: null,
      listedMethod: null,
    });
    const results = await Promise.allSettled([
      counters.reserve([caller]),
      receipts.add(large, 'key'),
      counters.reserve([caller]),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: { message: expect.stringContaining('full') } });
    expect(await receipts.byId(receiptId(1))).toEqual(aReceipt({ id: receiptId(1) }));
    expect(await receipts.byId(receiptId(2))).toBeNull();

    connected.control('pragma max_page_count = 100000');
    await receipts.add(large, 'key');
    expect(await receipts.byId(receiptId(2))).toEqual(large);
    expect(await counters.reserve([caller])).toEqual({ granted: true, used: [4] });
    await close();
  });
});
