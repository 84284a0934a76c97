import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqlite } from './open.ts';
import { isShared } from './private-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-private-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
const FILES = ['assay.db', 'assay.db-wal', 'assay.db-shm'];

describe('the file of the store', () => {
  it('and what is beside it is for its owner only, whatever the umask', async () => {
    const before = process.umask(0);
    try {
      const data = join(folder, 'new', 'data');
      const store = await openSqlite({ file: join(data, 'assay.db') });
      await store.counters.reserve([{ key: 'caller', window: '2026-11-15', limit: 5 }]);
      expect(modeOf(data)).toBe('700');
      expect(FILES.map((name) => modeOf(join(data, name)))).toEqual(['600', '600', '600']);
      await store.close();
    } finally {
      process.umask(before);
    }
  });

  it('is taken from others where it was left to them, and its folder is reported', async () => {
    const data = join(folder, 'data');
    const file = join(data, 'assay.db');
    mkdirSync(data);
    chmodSync(data, 0o755);
    writeFileSync(file, '');
    chmodSync(file, 0o644);
    const store = await openSqlite({ file });
    expect([isShared(file), modeOf(file)]).toEqual([false, '600']);
    expect([isShared(data), modeOf(data)]).toEqual([true, '755']);
    await store.close();
  });

  it('that is not there is nobody’s', () => {
    expect(isShared(join(folder, 'nothing'))).toBe(false);
    expect(existsSync(join(folder, 'nothing'))).toBe(false);
  });
});
