import { mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BackupFolder, fillBackupFolder } from './backup-folder.ts';

const NOW = new Date('2026-11-15T12:00:00.000Z');
const NEW = 'assay-20261115T120000Z.gz';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-backups-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function fill(
  names: readonly string[],
  changes: Partial<Pick<BackupFolder, 'keep' | 'write'>> & { everyHours?: number; fails?: boolean } = {},
) {
  for (const name of names) writeFileSync(join(folder, name), '');
  return fillBackupFolder({
    folder,
    keep: changes.keep ?? 3,
    everyHours: changes.everyHours ?? null,
    write:
      changes.write ??
      (async (file) => {
        if (changes.fails === true) return 1;
        writeFileSync(file, '');
        return 0;
      }),
    now: () => NOW,
    // It ends after one round.
    stop: AbortSignal.abort(),
  });
}

/** Without the file that is locked. */
const backups = () =>
  readdirSync(folder)
    .filter((name) => name !== '.lock')
    .sort();

describe('a folder of backups', () => {
  const OLD = ['assay-20261112T120000Z.gz', 'assay-20261113T120000Z.gz', 'assay-20261114T120000Z.gz'];

  it('keeps the newest', async () => {
    expect(await fill(OLD)).toBe(0);
    expect(backups()).toEqual([...OLD.slice(1), NEW]);
  });

  it('keeps all that there are when the new one fails', async () => {
    expect(await fill(OLD, { fails: true, keep: 1 })).toBe(1);
    expect(backups()).toEqual(OLD);
  });

  it('loses the drafts of killed processes, and nothing that has another name', async () => {
    const others = ['assay-before-upgrade.gz', 'assay-20261112T120000Z.gz.bak', 'secret'];
    await fill([...others, 'assay-20261112T120000Z.gz.17.part'], { keep: 1 });
    expect(backups()).toEqual([...others, NEW].sort());
  });

  it('leaves the draft of another run that is still writing, and says that there is one', async () => {
    const draft = join(folder, `${NEW}.17.part`);
    const during: unknown[] = [];
    const outcome = await fill([], {
      write: async (file) => {
        writeFileSync(draft, '');
        during.push(await fill([]).catch((fault: unknown) => String(fault)));
        during.push(await fill([], { everyHours: 24 }));
        during.push(readdirSync(folder).filter((name) => name.startsWith('assay-')));
        renameSync(draft, file);
        return 0;
      },
    });
    expect(outcome).toBe(0);
    expect(during).toEqual([
      `Error: another backup to ${folder} is running`,
      0,
      ['assay-20261115T120000Z.gz.17.part'],
    ]);
    expect(backups()).toEqual([NEW]);
    expect(await fill([])).toBe(0);
  });

  it('keeps the new one where a wrong clock has made one of the future', async () => {
    await fill([...OLD, 'assay-20270101T000000Z.gz'], { keep: 1 });
    expect(backups()).toEqual([NEW, 'assay-20270101T000000Z.gz']);
  });

  it.each<[string, newest: string[], made: boolean]>([
    ['there is none', [], true],
    ['the newest is as old as the interval', ['assay-20261114T120000Z.gz'], true],
    ['the newest is younger', ['assay-20261114T120001Z.gz'], false],
    ['the newest is from the future', ['assay-20261115T120001Z.gz'], true],
    [
      'one is from the future, beside a young one',
      ['assay-20261115T110000Z.gz', 'assay-20270101T000000Z.gz'],
      false,
    ],
    ['only another file is there', ['assay-before-upgrade.gz'], true],
  ])('gets one a day: %s', async (_, newest, made) => {
    expect(await fill(newest, { everyHours: 24 })).toBe(0);
    expect(backups().includes(NEW)).toBe(made);
  });
});
