import { mkdir, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '../../../src/guard/ledger/ledger.ts';
import { sqliteLedger } from '../../../src/guard/ledger/sqlite-ledger.ts';
import { aPurchase } from '../../support/guarding/buyers/purchases.ts';
import { newSqliteLedgerPlace } from '../../support/guarding/ledger/ledger-places.ts';

describe('a ledger behind a symbolic link', () => {
  let place: Awaited<ReturnType<typeof newSqliteLedgerPlace>>;
  let file: string;
  let folder: string;
  const opened: Ledger[] = [];

  beforeEach(async () => {
    place = await newSqliteLedgerPlace();
    ({ file } = place);
    folder = dirname(file);
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((ledger) => ledger.close()));
    await place.remove();
  });

  const open = (path: string) => {
    const ledger = sqliteLedger(path);
    opened.push(ledger);
    return ledger;
  };
  const link = async (name: string, target: string) => {
    const path = join(folder, name);
    await symlink(target, path);
    return path;
  };
  const reserve = (ledger: Ledger, id: string) => ledger.reserve(aPurchase({ id }), []);

  const LINKS: readonly (readonly [string, () => Promise<string>])[] = [
    ['with its whole path', () => link('link.db', file)],
    ['beside it', () => link('link.db', 'purchases.db')],
    [
      'to a link',
      async () => {
        await link('one.db', 'purchases.db');
        return link('two.db', 'one.db');
      },
    ],
    [
      'in a folder that is a link itself',
      async () => {
        await mkdir(join(folder, 'a', 'b'), { recursive: true });
        await link('short', 'a/b');
        // From the folder itself, two up; from its other name it would be only one.
        await symlink('../../purchases.db', join(folder, 'a', 'b', 'link.db'));
        return join(folder, 'short', 'link.db');
      },
    ],
  ];

  it.each(LINKS)('is stopped with the file, and the file with it: %s', async (_, makeLink) => {
    const real = open(file);
    await reserve(real, 'a');
    const linked = open(await makeLink());
    for (const [one, other] of [
      [real, linked],
      [linked, real],
    ] as const) {
      await one.freeze(true);
      expect([await one.frozen(), await other.frozen()]).toEqual([true, true]);
      await other.freeze(false);
      expect([await one.frozen(), await other.frozen()]).toEqual([false, false]);
    }
    expect(await linked.open('key of a')).toMatchObject({ id: 'a' });
  });

  it.each(LINKS)('may be linked before there is a file: %s', async (_, makeLink) => {
    const linked = open(await makeLink());
    await linked.freeze(true);
    expect(await open(file).frozen()).toBe(true);
    await linked.freeze(false);
    await reserve(linked, 'a');
    expect(await open(file).open('key of a')).toMatchObject({ id: 'a' });
    expect(((await stat(file)).mode & 0o777).toString(8)).toBe('600');
    const made = (await readdir(folder)).filter((name) => /-(wal|shm)$/.test(name));
    expect(made.sort()).toEqual(['purchases.db-shm', 'purchases.db-wal']);
  });

  it('is stopped when the link is made after the ledger was named', async () => {
    const linked = open(join(folder, 'link.db'));
    await open(file).freeze(true);
    await link('link.db', file);
    expect(await linked.frozen()).toBe(true);
  });

  it('is stopped by a mark beside the link, too, which a person may have made', async () => {
    const path = await link('link.db', file);
    await writeFile(`${path}.frozen`, '');
    const linked = open(path);
    expect(await linked.frozen()).toBe(true);
    await linked.freeze(true);
    expect(await open(file).frozen()).toBe(true);
    await linked.freeze(false);
    expect([await linked.frozen(), await open(file).frozen()]).toEqual([false, false]);
  });

  it('takes no purchase when the link leads to another file now', async () => {
    const path = await link('link.db', file);
    const linked = open(path);
    await reserve(linked, 'a');
    await reserve(open(join(folder, 'other.db')), 'b');
    await rm(path);
    await symlink('other.db', path);
    await expect(reserve(linked, 'c')).rejects.toThrow('the file was removed or replaced while it was open');
    expect(await linked.frozen()).toBe(false);
    await open(file).freeze(true);
    expect(await linked.frozen()).toBe(true);
  });

  it('refuses a link to itself', async () => {
    const linked = open(await link('link.db', 'link.db'));
    await expect(reserve(linked, 'a')).rejects.toThrow(/^the ledger .*link\.db: /);
    await expect(linked.frozen()).rejects.toThrow(/^the ledger .*link\.db: /);
  });
});
