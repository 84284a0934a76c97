import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fileLogMark } from '../../../../src/adapters/log/log-mark.ts';
import { connectSqlite, openSqlite } from '../../../../src/adapters/store/sqlite/open.ts';
import type { Arguments } from '../../../../src/cli/read-arguments.ts';
import { runBackup, runRestore } from '../../../../src/main/commands/backup/backup.ts';
import { runLogEpoch } from '../../../../src/main/commands/log/log-epoch.ts';
import type { Output } from '../../../../src/main/commands/output.ts';
import { anEntry, entriesTo, ORIGIN, testKeeper } from '../../../support/log/test-log.ts';

describe('an epoch of the log ends', () => {
  let folder: string;
  const said: string[] = [];
  const output: Output = {
    print: (text) => said.push(text),
    note: (text) => said.push(text),
    json: (value) => said.push(JSON.stringify(value)),
    fail: (text) => {
      said.push(text);
      return 1;
    },
  };
  const given = (...words: string[]): Arguments => ({
    words,
    text: () => null,
    has: () => false,
    all: () => [],
  });
  const storeIn = (name: string) => openSqlite({ file: join(folder, name, 'assay.db') });
  const settings = (name: string) => ({ DATA_DIR: join(folder, name) });

  beforeEach(async () => {
    said.length = 0;
    folder = await mkdtemp(join(tmpdir(), 'assay-epoch-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function filled(name: string, count: number): Promise<void> {
    const store = await storeIn(name);
    const { keeper } = testKeeper(store.transparencyLog);
    await store.transparencyLog.add(entriesTo(count));
    await keeper.round();
    await store.close();
  }

  it('with a restore: the tiles are there again, and the next service signs under another name', async () => {
    await filled('a', 300);
    const file = join(folder, 'backup.gz');
    expect(await runBackup(given(file), output, settings('a'))).toBe(0);
    expect(await runRestore(given(file), output, settings('b'))).toBe(0);
    expect(said.join('\n')).toContain(`the transparency log goes on as ${ORIGIN}/2`);
    const store = await storeIn('b');
    const log = store.transparencyLog;
    await log.add([anEntry(900)]);
    const { keeper } = testKeeper(log);
    await keeper.round();
    expect(keeper.state()).toBe('ok');
    const [first, second] = await log.entries('2', 0, 9);
    const old = await log.head('1');
    expect(first?.entry).toBe(
      `assay epoch v1\n${ORIGIN}\n300 ${Buffer.from(old?.root ?? []).toString('base64')}\n`,
    );
    expect(second?.entry).toBe(anEntry(900).entry);
    expect((await log.tile('1', { level: 0, index: 0, width: 256 }))?.byteLength).toBe(8_192);
    expect(keeper.promise(anEntry(1).id, new Uint8Array(32), new Date(0))).toContain(`\n${ORIGIN}/2\n`);
    await store.close();
  });

  it('with the rows of a restore, which has its tiles as well: one that is killed after them leaves a whole store', async () => {
    await filled('a', 3);
    const file = join(folder, 'backup.gz');
    expect(await runBackup(given(file), output, settings('a'))).toBe(0);
    const note = () => {
      throw new Error('killed');
    };
    await expect(runRestore(given(file), { ...output, note }, settings('b'))).rejects.toThrow('killed');
    const store = await storeIn('b');
    await store.transparencyLog.add([anEntry(900)]);
    const { keeper } = testKeeper(store.transparencyLog);
    await keeper.round();
    expect(await store.transparencyLog.current()).toMatchObject({ origin: `${ORIGIN}/2`, size: 2 });
    expect(await store.transparencyLog.head('1')).toMatchObject({ size: 3 });
    expect(await store.transparencyLog.tile('1', { level: 0, index: 0, width: 3 })).not.toBeNull();
    await store.close();
  });

  it('with a second restore of one backup, and no epoch begins twice that log-mark knows', async () => {
    await filled('a', 3);
    const file = join(folder, 'backup.gz');
    await runBackup(given(file), output, settings('a'));
    const mark = fileLogMark(join(folder, 'c'));
    await runRestore(given(file), output, settings('b'));
    const first = await storeIn('b');
    await first.transparencyLog.add([anEntry(900)]);
    await testKeeper(first.transparencyLog, { mark }).keeper.round();
    expect(await mark.read()).toContain(`${ORIGIN}/2\n`);
    await first.close();
    await runRestore(given(file), output, settings('c'));
    expect(said).toContain(`the transparency log goes on as ${ORIGIN}/3: tell its witnesses`);
    const second = await storeIn('c');
    const { keeper } = testKeeper(second.transparencyLog, { mark });
    await keeper.round();
    expect(keeper.state()).toBe('ok');
    expect(await second.transparencyLog.current()).toMatchObject({ origin: `${ORIGIN}/3`, size: 2 });
    const [entry] = await second.transparencyLog.entries('3', 0, 1);
    expect(entry?.entry).toContain(`assay epoch v1\n${ORIGIN}\n3 `);
    await second.close();
  });

  it('with a restore of entries that do not give the root of their log, which says so', async () => {
    await filled('a', 3);
    const { database } = await connectSqlite(join(folder, 'a', 'assay.db'));
    await database.updateTable('log_entries').set({ entry: 'another' }).where('seq', '=', 1).execute();
    await database.destroy();
    const file = join(folder, 'backup.gz');
    expect(await runBackup(given(file), output, settings('a'))).toBe(0);
    expect(await runRestore(given(file), output, settings('b'))).toBe(1);
    expect(said.at(-1)).toBe(
      `the entries of the log ${ORIGIN} do not give its signed root; the rows are restored, and nobody can prove what is in it`,
    );
    const store = await storeIn('b');
    expect(await store.transparencyLog.current()).toMatchObject({ origin: `${ORIGIN}/2` });
    await store.close();
  });

  it('on command, and only where a log has begun', async () => {
    const empty = await storeIn('a');
    await empty.close();
    expect(await runLogEpoch(given(), output, settings('a'))).toBe(1);
    await filled('a', 3);
    expect(await runLogEpoch(given(), output, settings('a'))).toBe(0);
    expect(said.at(-1)).toContain(`the log goes on as ${ORIGIN}/2`);
    const store = await storeIn('a');
    const { keeper } = testKeeper(store.transparencyLog);
    await keeper.round();
    expect(await store.transparencyLog.current()).toMatchObject({ tree: '2', size: 1 });
    await store.close();
  });
});
