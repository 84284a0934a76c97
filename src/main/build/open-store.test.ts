import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openStore } from './open-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-open-store-'));
afterAll(() => rmSync(folder, { recursive: true }));

const open = (dataDir: string) =>
  openStore({ dataDir, databaseUrl: null, databasePool: 1, databaseWaitSeconds: 0 });

it('of a damaged file does not blame the folder', async () => {
  writeFileSync(join(folder, 'assay.db'), 'no database '.repeat(1_000));
  await expect(open(folder)).rejects.toThrow(
    /^cannot open the database file .*: file is not a database; move it away, and get its last backup back with assay restore$/,
  );
});

it('of a folder that is a file says what DATA_DIR must be', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  await expect(open(file)).rejects.toThrow(/; DATA_DIR must be a folder that this user may write$/);
});
