import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqlite } from '../../../../src/adapters/store/sqlite/open.ts';
import { runBackup, runRestore } from '../../../../src/main/commands/backup/backup.ts';
import { operate } from '../../../support/running/command-line.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-backup-folder-'));
afterAll(() => rmSync(folder, { recursive: true }));
const [BACKUPS, DATA] = [join(folder, 'backups'), join(folder, 'data')];

const backUp = (...argv: string[]) =>
  operate(['backup', ...argv], (given, output) => runBackup(given, output, { DATA_DIR: DATA }));

beforeAll(async () => {
  mkdirSync(BACKUPS);
  await (await openSqlite({ file: join(DATA, 'assay.db') })).close();
});

describe('assay backup --keep', () => {
  it('writes a file that can be restored', async () => {
    expect((await backUp(BACKUPS, '--keep', '2')).code).toBe(0);
    const [lock, file = '', ...others] = readdirSync(BACKUPS).sort();
    expect([lock, file, others]).toEqual(['.lock', expect.stringMatching(/^assay-\d{8}T\d{6}Z\.gz$/), []]);
    const restored = await operate(['restore', join(BACKUPS, file)], (given, output) =>
      runRestore(given, output, { DATA_DIR: join(folder, 'new') }),
    );
    expect(restored.code).toBe(0);
  });

  it.each<[string, argv: string[], message: RegExp, code: number]>([
    ['a folder that is not there', [join(folder, 'none'), '--keep', '2'], /does not exist/, 1],
    ['to keep none', [BACKUPS, '--keep', '0'], /--keep must be from 1 to/, 2],
    ['hours that are no number', [BACKUPS, '--keep', '1', '--every', 'day'], /--every must be from 1 to/, 2],
    ['to repeat one file', [join(folder, 'one.gz'), '--every', '24'], /--every needs --keep/, 2],
  ])('refuses %s', async (_, argv, message, code) => {
    const refused = await backUp(...argv);
    expect([refused.code, refused.notes.at(-1)]).toEqual([code, expect.stringMatching(message)]);
  });
});
