import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSqlite } from '../../../src/adapters/store/sqlite/module.ts';
import { ledgerSql } from '../../../src/guard/ledger/ledger-sql.ts';
import { sqliteLedger } from '../../../src/guard/ledger/sqlite-ledger.ts';
import { openLedgerFile } from '../../../src/guard/ledger/sqlite-ledger-file.ts';
import { sqliteRows } from '../../../tools/sqlite-rows.ts';
import {
  aDayLimit,
  aHostLimit,
  aPurchase,
  aTaskLimit,
  NOON,
} from '../../support/guarding/buyers/purchases.ts';
import { newSqliteLedgerPlace, runSqlite } from '../../support/guarding/ledger/ledger-places.ts';

const SQL = ledgerSql({ table: 'purchase', number: 'rowid' });

describe('a ledger in an SQLite file', () => {
  let place: Awaited<ReturnType<typeof newSqliteLedgerPlace>>;
  let file: string;
  let folder: string;

  beforeEach(async () => {
    place = await newSqliteLedgerPlace();
    ({ file } = place);
    folder = dirname(file);
  });
  afterEach(() => place.remove());

  const reserve = (id: string, ledger = place.open()) => ledger.reserve(aPurchase({ id }), []);
  const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
  const faultOf = (path: string) => sqliteLedger(path, { busyMs: 20 }).open('key').then(String, messageOf);

  it('is made when it is first used, for its owner only', async () => {
    const before = process.umask(0);
    try {
      const deep = join(folder, 'new', 'deep');
      const ledger = sqliteLedger(join(deep, 'purchases.db'));
      await expect(stat(deep)).rejects.toThrow('ENOENT');
      await reserve('a', ledger);
      await ledger.freeze(true);
      expect(await Promise.all([deep, join(folder, 'new')].map(modeOf))).toEqual(['700', '700']);
      const files = ['', '-wal', '-shm', '.frozen'].map((end) => join(deep, `purchases.db${end}`));
      expect(await Promise.all(files.map(modeOf))).toEqual(['600', '600', '600', '600']);
      await ledger.close();
    } finally {
      process.umask(before);
    }
  });

  it('is in the home folder when its path begins with ~/', async () => {
    const { HOME: home } = process.env;
    process.env['HOME'] = folder;
    try {
      await reserve('a', sqliteLedger(`~/${basename(file)}`));
    } finally {
      process.env['HOME'] = home;
    }
    expect(await place.open().find({})).toMatchObject([{ id: 'a' }]);
  });

  it.each(['', ':memory:'])('needs the path of a file, not %j', (path) => {
    expect(() => sqliteLedger(path)).toThrow('a ledger needs the path of a file');
  });

  it('is frozen by a file that a person makes', async () => {
    const ledger = place.open();
    expect(await ledger.frozen()).toBe(false);
    await writeFile(`${file}.frozen`, 'by hand');
    expect(await ledger.frozen()).toBe(true);
    await ledger.freeze(true);
    expect(await readFile(`${file}.frozen`, 'utf8')).toBe('by hand');
    await ledger.freeze(false);
    expect(await ledger.frozen()).toBe(false);
  });

  it('can be frozen when it is damaged', async () => {
    const ledger = sqliteLedger(join(folder, 'plain.txt'));
    await ledger.freeze(true);
    expect(await ledger.frozen()).toBe(true);
  });

  it('is refused and keeps every byte when a newer release wrote it', async () => {
    await reserve('a');
    await place.open().close();
    await runSqlite(file, 'pragma wal_checkpoint(truncate); pragma user_version = 2');
    await runSqlite(file, 'pragma wal_checkpoint(truncate)');
    const hash = async () =>
      createHash('sha256')
        .update(await readFile(file))
        .digest('hex');
    const before = await hash();
    expect(await faultOf(file)).toBe(`the ledger ${file}: a newer release wrote it (format 2)`);
    expect(await hash()).toBe(before);
  });

  it('is refused when it is a database of something else', async () => {
    await runSqlite(file, 'create table notes (text text)');
    expect(await faultOf(file)).toBe(`the ledger ${file}: the file is a database of another program`);
    expect(await sqliteRows(file, 'select name from sqlite_schema')).toEqual([{ name: 'notes' }]);
  });

  it('is refused when it is no database', async () => {
    const plain = join(folder, 'plain.txt');
    expect(await faultOf(plain)).toBe(`the ledger ${plain}: it is no SQLite file`);
  });

  // Root writes everywhere, so there this proves nothing.
  it.skipIf(process.getuid?.() === 0)('is refused when its folder may not be written', async () => {
    const closed = join(folder, 'closed');
    await mkdir(closed, { mode: 0o500 });
    expect(await faultOf(join(closed, 'x.db'))).toBe(
      `the ledger ${join(closed, 'x.db')}: it may not be written`,
    );
    await chmod(closed, 0o700);
  });

  it('rejects a write while another process keeps it locked, and reads', async () => {
    await reserve('a');
    const { DatabaseSync } = await loadSqlite();
    const other = new DatabaseSync(file);
    other.exec('begin immediate');
    const ledger = sqliteLedger(file, { busyMs: 20 });
    expect(await ledger.open('key of a')).toMatchObject({ id: 'a' });
    const words = `the ledger ${file}: another process has kept it locked for too long`;
    await expect(reserve('b', ledger)).rejects.toThrow(words);
    const signed = { from: ['reserved'], to: 'signed', at: NOON, durable: true } as const;
    await expect(ledger.move('a', signed)).rejects.toThrow(words);
    other.exec('commit');
    other.close();
    expect(await ledger.move('a', signed)).toBe(true);
    expect(await reserve('b', ledger)).toEqual({ kind: 'reserved' });
    await ledger.close();
  });

  it('can be used after a fault of opening is gone', async () => {
    const path = join(folder, 'later', 'purchases.db');
    await writeFile(join(folder, 'later'), '');
    const ledger = sqliteLedger(path);
    await expect(ledger.open('key')).rejects.toThrow(`the ledger ${path}: the file cannot be opened`);
    await rm(join(folder, 'later'));
    expect(await ledger.open('key')).toBeNull();
    await ledger.close();
  });

  it.each([
    ['removed', async () => rm(file)],
    [
      'replaced',
      async () => {
        await rename(file, `${file}.old`);
        await reserve('b');
      },
    ],
  ])('takes no purchase and no signature when its file was %s', async (_, change) => {
    const ledger = place.open();
    await reserve('a', ledger);
    await change();
    const words = 'the file was removed or replaced while it was open';
    await expect(reserve('c', ledger)).rejects.toThrow(words);
    const signed = { from: ['reserved'], to: 'signed', at: NOON, durable: true } as const;
    await expect(ledger.move('a', signed)).rejects.toThrow(words);
  });

  it.each([
    ['the open purchase of a key', SQL.open, 'USING INDEX purchase_open (key=?)'],
    ['the sum of a day', SQL.spent(aDayLimit(1n)).sql, 'USING COVERING INDEX purchase_day (created>?)'],
    [
      'the sum of a host',
      SQL.spent(aHostLimit(1n)).sql,
      'USING COVERING INDEX purchase_host (host=? AND created>?)',
    ],
    ['the sum of a task', SQL.spent(aTaskLimit(1n)).sql, 'USING COVERING INDEX purchase_task (task=?)'],
    [
      'the last purchase of a key',
      SQL.find({ key: 'key', request: 'request', state: 'bought', limit: 1 }).sql,
      'USING INDEX purchase_request (request=?)',
    ],
    ['old reservations', SQL.expire, 'USING INDEX purchase_reserved (created<?)'],
    ['old payments', SQL.dropPayments, 'USING INDEX purchase_payable (valid_before<?)'],
  ])('finds %s by an index', async (_, sql, plan) => {
    await reserve('a');
    const rows = await sqliteRows(file, `explain query plan ${sql}`);
    expect(rows.map(({ detail }) => detail)).toEqual([`SEARCH purchase ${plan}`]);
  });

  it('syncs the log with the commits that must survive a loss of power, and with no others', async () => {
    const ledgerFile = await openLedgerFile(file, 20);
    const ask = () =>
      ledgerFile.all('select journal_mode, synchronous from pragma_journal_mode, pragma_synchronous', []);
    const [normal, full] = [
      [{ journal_mode: 'wal', synchronous: 1 }],
      [{ journal_mode: 'wal', synchronous: 2 }],
    ];
    const plain = (rows: unknown[]) => rows.map((row) => Object.assign({}, row));
    expect(plain(ledgerFile.durably(true, ask))).toEqual(full);
    expect(plain(ledgerFile.durably(false, ask))).toEqual(normal);
    const fail = () => {
      throw new Error('not this time');
    };
    expect(() => ledgerFile.durably(true, fail)).toThrow('not this time');
    expect(plain(ask())).toEqual(normal);
    ledgerFile.close();
  });
});

function messageOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : 'no error';
}
