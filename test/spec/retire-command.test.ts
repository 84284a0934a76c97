import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqlite } from '../../src/adapters/store/sqlite/open.ts';
import { runRetire } from '../../src/main/commands/archive/retire.ts';
import { aReceipt } from '../../tools/samples/store-receipts.ts';
import { operate } from '../support/running/command-line.ts';

describe('assay retire', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-retire-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const retire = (...words: string[]) =>
    operate(['retire', ...words], (given, output) => runRetire(given, output, { DATA_DIR: folder }));

  it.each([
    ['no day', ['--to', 'x'], '--before must be a day such as 2026-06-01'],
    ['no such day', ['--before', '2026-02-30', '--to', 'x'], '--before must be a day such as 2026-06-01'],
    ['no folder', ['--before', '2026-02-20'], '--to must be a folder'],
    ['a day ahead', ['--before', '9999-01-01', '--to', 'x'], '--before must not be after '],
  ])('refuses %s', async (_, words, says) => {
    const { code, notes } = await retire(...words);
    expect([code, notes.join('\n')]).toEqual([2, expect.stringContaining(says)]);
  });

  it('moves the weeks before a day and names their files', async () => {
    const store = await openSqlite({ file: join(folder, 'assay.db') });
    const receipt = aReceipt({ checkedAt: new Date('2026-01-14T12:00:00.000Z') });
    await store.receipts.add(receipt, 'key');
    await store.close();
    const archive = join(folder, 'archive');
    const { code, printed, notes } = await retire('--before', '2026-02-20', '--to', archive);
    expect([code, printed]).toEqual([
      0,
      [expect.stringMatching(/^2026w03 {2}1 receipts {2}sha256 [0-9a-f]{64}$/)],
    ]);
    expect(notes).toEqual([`receipts before 2026-02-16 are in ${archive} and no longer in the store`]);
    expect(existsSync(join(archive, 'receipts', '2026w03.json'))).toBe(true);
    const again = await retire('--before', '2026-02-20', '--to', archive);
    expect([again.code, again.printed, again.notes]).toEqual([
      0,
      [],
      ['the store has no receipts before 2026-02-16; nothing was moved'],
    ]);
    const files = await retire('--before', '2026-02-20', '--to', archive, '--files');
    expect([files.code, files.notes]).toEqual([1, ['--files needs BASE_URL for links']]);
  });
});
