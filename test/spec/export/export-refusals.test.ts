import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStaticFolder } from '../../../src/adapters/archive/static-folder.ts';
import { connectSqlite, openSqlite } from '../../../src/adapters/store/sqlite/open.ts';
import { runRetire } from '../../../src/main/commands/archive/retire.ts';
import { runExport } from '../../../src/main/commands/export/export.ts';
import { aReceipt } from '../../../tools/samples/store-receipts.ts';
import { operate } from '../../support/running/command-line.ts';

describe('assay export', () => {
  let folder: string;
  let to: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-export-'));
    to = join(folder, 'www');
    await (await openSqlite({ file: join(folder, 'assay.db') })).close();
  });
  afterEach(() => rm(folder, { recursive: true }));

  const exported = (settings = {}) =>
    operate(['export', to], (given, output) =>
      runExport(given, output, { DATA_DIR: folder, BASE_URL: 'https://assay.example.org', ...settings }),
    );

  it('needs a folder, a store and an address for links', async () => {
    expect((await operate(['export'], runExport)).code).toBe(2);
    expect(await exported({ BASE_URL: '' })).toMatchObject({
      code: 1,
      notes: ['an export needs BASE_URL for links'],
    });
    expect(await exported({ DATA_DIR: join(folder, 'none') })).toMatchObject({ code: 1 });
  });

  it('writes an empty store, too', async () => {
    expect((await exported()).code).toBe(0);
    expect((await readdir(to)).toSorted()).toEqual(['.lock', 'index.json', 'index.jsonl', 'log', 'v1']);
    expect(await readdir(join(to, 'v1'))).toEqual(['skips.csv', 'skips.json']);
  });

  it('and an archive do not share a folder: an export removes what an archive keeps', async () => {
    await mkdir(join(to, 'receipts'), { recursive: true });
    expect(await exported()).toMatchObject({
      code: 1,
      notes: [`${to} has an archive of assay retire: export to another folder`],
    });
    await rm(to, { recursive: true });
    await exported();
    const retired = await operate(['retire', '--before', '2026-02-20', '--to', to], (given, output) =>
      runRetire(given, output, { DATA_DIR: folder }),
    );
    expect(retired).toMatchObject({
      code: 1,
      notes: [`${to} has an export: use another folder for the archive`],
    });
  });

  it.each(['sc-../../../../escaped', '../../escaped', 'sc-0000000000000000/../../x'])(
    'makes no path of the stored id %j',
    async (id) => {
      const store = await openSqlite({ file: join(folder, 'assay.db') });
      await store.receipts.add(aReceipt(), 'key');
      await store.close();
      // The store itself refuses such an id.
      const { database } = await connectSqlite(join(folder, 'assay.db'));
      await database.updateTable('live_receipts').set({ id }).execute();
      await database.destroy();
      expect((await exported()).code).toBe(0);
      expect(await readdir(join(to, 'v1'))).toEqual(['skips.csv', 'skips.json']);
      expect((await readdir(folder)).filter((name) => name.includes('escaped'))).toEqual([]);
    },
  );
});

describe('a static folder', () => {
  it('is written by one run at a time: the second one would delete the drafts of the first', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'assay-static-'));
    const first = await openStaticFolder(folder);
    await expect(openStaticFolder(folder)).rejects.toThrow(`another export to ${folder} is running`);
    await first.put('a/file', 'text');
    await first.close();
    await (await openStaticFolder(folder)).close();
    expect(await readdir(folder)).toEqual(['.lock', 'a']);
    await rm(folder, { recursive: true });
  });

  it.each([
    '',
    '/etc/passwd',
    '..',
    '../x',
    'a/../x',
    'a//b',
    'a/',
    '.drafts/x',
    'a/.b',
    'a\\b',
    'a\0',
    'a b',
  ])('has no file %j', async (path) => {
    const folder = await mkdtemp(join(tmpdir(), 'assay-static-'));
    const files = await openStaticFolder(folder);
    await expect(files.put(path, 'x')).rejects.toThrow('not a path for a static file');
    await expect(files.remove(path)).rejects.toThrow('not a path for a static file');
    await files.close();
    expect(await readdir(folder)).toEqual(['.lock']);
    await rm(folder, { recursive: true });
  });

  it('replaces a link in the place of a file, and not what it leads to', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'assay-static-'));
    const other = join(folder, 'other');
    await writeFile(other, 'not ours');
    await symlink(other, join(folder, 'a'));
    const files = await openStaticFolder(folder);
    await files.put('a', 'ours');
    await files.remove('a');
    await files.close();
    expect(await readdir(folder)).toEqual(['.lock', 'other']);
    await rm(folder, { recursive: true });
  });
});
