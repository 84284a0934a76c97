import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fingerprintOf } from '../../../src/main/build/same-secret.ts';
import { diskVerdict } from '../../../src/main/doctor/files-checks.ts';
import { examined, newFolder, SECRET } from '../../support/operating/examining.ts';
import { newSqlitePlace, type Place } from '../../support/storing/stores.ts';

let place: Place;
let folder: string;

beforeEach(async () => {
  place = await newSqlitePlace();
  folder = dirname('file' in place.settings ? place.settings.file : '');
});
afterEach(() => place.remove());

const look = (settings: NodeJS.ProcessEnv = {}, world = {}) =>
  examined({ DATA_DIR: folder, SECRET, ...settings }, world);
const keep = async (secret: string) => (await place.open()).secretMark.keep(fingerprintOf(secret));

describe('assay doctor on the store', () => {
  it('is content with one of this release', async () => {
    await keep(SECRET);
    const finding = await look();
    expect(finding('store')).toMatchObject({ status: 'ok', says: `the store in ${folder} takes writes` });
    expect(finding('schema')).toMatchObject({
      status: 'ok',
      says: expect.stringMatching(/^version [0-9]+$/),
    });
    expect(finding('secret')).toMatchObject({ status: 'ok', says: expect.stringMatching(/^fingerprint /) });
    expect(finding('clock of the database').status).toBe('ok');
  });

  it('says that there is none yet, and makes none', async () => {
    const empty = newFolder();
    const finding = await examined({ DATA_DIR: empty });
    expect(finding('store')).toMatchObject({ status: 'warning', says: 'there is none yet' });
    expect((await examined({ DATA_DIR: empty }))('store').says).toBe('there is none yet');
  });

  it('finds a file that is no database, and what depends on it is not a second failure', async () => {
    const data = newFolder();
    writeFileSync(join(data, 'assay.db'), 'this is a letter, not a database'.repeat(100));
    const finding = await examined({ DATA_DIR: data, SECRET });
    expect(finding('store').status).toBe('failure');
    expect(finding('store').fix).toContain('DATA_DIR');
    expect(finding('schema')).toMatchObject({ status: 'warning', fix: 'see store' });
  });

  it('finds an older schema, and does not migrate it', async () => {
    const { database } = await place.connect();
    const version = async () =>
      (await place.ask('select max(version) as version from schema_migrations'))[0]?.['version'];
    const now = Number(await version());
    await database.deleteFrom('schema_migrations').where('version', '=', now).execute();
    await database.destroy();
    const finding = await look();
    expect(finding('schema')).toMatchObject({
      status: 'failure',
      says: `version ${now - 1}; this program needs ${now}`,
    });
    expect(await version()).toBe(now - 1);
  });

  it('warns of a newer schema', async () => {
    const { database } = await place.connect();
    await database
      .insertInto('schema_migrations')
      .values({ version: 999, name: 'later', applied_at: 0 })
      .execute();
    await database.destroy();
    expect((await look())('schema')).toMatchObject({ status: 'warning', fix: 'upgrade this program' });
  });

  it('finds another secret, and shows neither', async () => {
    await keep('the-secret-of-another-machine');
    const finding = (await look())('secret');
    expect(finding).toMatchObject({ status: 'failure', fix: expect.stringContaining('--new-secret') });
    expect(JSON.stringify(finding)).not.toMatch(/a-secret-of|the-secret-of/);
  });

  it('finds that the secret is lost, and makes no other', async () => {
    await keep(SECRET);
    const finding = await examined({ DATA_DIR: folder });
    expect(finding('secret')).toMatchObject({
      status: 'failure',
      fix: 'restore the secret of this database',
    });
    expect((await examined({ DATA_DIR: folder }))('secret').status).toBe('failure');
  });

  it.each([
    [1_000, 'ok'],
    [-3_000, 'warning'],
    [-31_000, 'failure'],
    [60_000, 'failure'],
  ])('compares its clock: %d ms apart is %s', async (aheadMs, status) => {
    const finding = await look({}, { now: () => new Date(Date.now() + aheadMs) });
    expect(finding('clock of the database').status).toBe(status);
  });

  it('finds a server that is away, without its password', async () => {
    const finding = await look({ DATABASE_URL: 'postgres://u:hidden@127.0.0.1:1/x' });
    expect(finding('store')).toMatchObject({
      status: 'failure',
      fix: expect.stringContaining('DATABASE_URL'),
    });
    expect(JSON.stringify(finding('store'))).not.toContain('hidden');
    expect(finding('log').status).toBe('warning');
  });
});

describe('assay doctor on files', () => {
  it('is content with what is for the owner only', async () => {
    expect((await look())('files').status).toBe('ok');
  });

  it('warns of a folder that others can enter', async () => {
    chmodSync(folder, 0o755);
    expect((await look())('files')).toMatchObject({
      status: 'warning',
      says: `other users of this machine have access to ${folder} (755)`,
      fix: `chmod -R go= ${folder}`,
    });
  });

  it('finds a secret that others can read', async () => {
    writeFileSync(join(folder, 'secret'), 'x'.repeat(64), { mode: 0o644 });
    chmodSync(folder, 0o755);
    expect((await look())('files')).toMatchObject({
      status: 'failure',
      says: expect.stringContaining('can read the secret'),
    });
  });

  it('finds a database that others can read, before opening it hides that', async () => {
    chmodSync(join(folder, 'assay.db'), 0o644);
    expect((await look())('files')).toMatchObject({
      status: 'warning',
      says: expect.stringContaining('644'),
    });
  });

  it('says that the folder is not there yet, and makes none', async () => {
    const missing = join(newFolder(), 'later');
    expect((await examined({ DATA_DIR: missing }))('files').status).toBe('warning');
    expect(() => mkdirSync(missing)).not.toThrow();
  });

  it.each<[string, freeBytes: number, allBytes: number, status: string]>([
    ['half of it is free', 50e9, 100e9, 'ok'],
    ['9 % are free', 9e9, 100e9, 'warning'],
    ['1 % is free', 1e9, 100e9, 'failure'],
    ['150 MB are free, although that is half', 150e6, 300e6, 'failure'],
  ])('when %s of the disk', (_, freeBytes, allBytes, status) => {
    expect(diskVerdict(freeBytes, allBytes).status).toBe(status);
  });

  it('reads the disk of DATA_DIR', async () => {
    expect((await look())('disk').says).toMatch(/^[0-9.]+ GB free, [0-9]+ %$/);
  });
});
