import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { operate } from '../../../test/support/running/command-line.ts';
import { connectSqlite, openSqlite } from '../../adapters/store/sqlite/open.ts';
import { beginEpoch } from '../../flows/log/begin-epoch.ts';
import { keysText, NO_KEYS } from '../../flows/log/log-keys.ts';
import { logKeysOf } from '../build/log-keys.ts';
import { fingerprintOf } from '../build/same-secret.ts';
import { migrate } from './migrate.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-migrate-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function run(argv: readonly string[], environment: NodeJS.ProcessEnv = { DATA_DIR: folder }) {
  return operate(['migrate', ...argv], (given, output) => migrate(given, output, environment));
}

it('brings a database up to this release, and says what that took', async () => {
  const steps = 'first-tables, runs-payments-jobs, quotes-and-lapsed-payments, attribution, crawl-work';
  const { code, printed } = await run([]);
  expect(code).toBe(0);
  // Later releases add steps at the end.
  expect(printed[0]).toMatch(new RegExp(`^Applied ${steps}.*\\. The schema is now at version [0-9]+\\.$`));
  expect((await run([])).printed[0]).toMatch(/^The schema is current: version [0-9]+\.$/);
  const [text = ''] = (await run(['--json'])).printed;
  expect(JSON.parse(text)).toEqual({ version: expect.any(Number), applied: [] });
});

it('says what a new secret does to the log, unless its key does not come from the secret', async () => {
  const data = join(folder, 'secrets');
  const withSecret = (letter: string, more: NodeJS.ProcessEnv = {}) =>
    run(['--new-secret'], { DATA_DIR: data, SECRET: letter.repeat(32), ...more });
  const key = 'ab'.repeat(32);
  expect((await withSecret('a')).notes).toEqual([]);
  const store = await openSqlite({ file: join(data, 'assay.db') });
  const epoch = { tree: '1', origin: 'localhost/log' };
  const signers = logKeysOf({ key: null, oldKey: null }, 'a'.repeat(32)).signersOf(epoch);
  await store.transparencyLog.open({ origin: epoch.origin, key: keysText(signers) });
  expect((await withSecret('a')).notes).toEqual([]);
  expect((await withSecret('b')).notes).toEqual([expect.stringContaining('assay log epoch')]);
  await beginEpoch(store.transparencyLog, NO_KEYS);
  expect((await withSecret('b')).notes).toEqual([]);
  const head = await store.transparencyLog.current();
  const kept = logKeysOf({ key: Buffer.from(key, 'hex'), oldKey: null }, 'b'.repeat(32));
  if (head !== null)
    await store.transparencyLog.changeKeys(head.tree, '', keysText(kept.signersOf(head)), null);
  await store.close();
  expect((await withSecret('c', { LOG_KEY: key })).notes).toEqual([]);
});

it('says that the secret is another one now, and nothing of it otherwise', async () => {
  const settings = { DATA_DIR: join(folder, 'another'), SECRET: 'd'.repeat(32) };
  expect((await run([], settings)).printed.join()).not.toContain('The secret');
  const [text = ''] = (await run(['--new-secret'], settings)).printed;
  expect(text).toContain(
    `\nThe secret of this database is now the one of this process (fingerprint ${fingerprintOf(settings.SECRET)}).`,
  );
});

it('leaves a database of a newer release alone, in one line', async () => {
  const data = join(folder, 'newer');
  await run([], { DATA_DIR: data });
  const { database } = await connectSqlite(join(data, 'assay.db'));
  await database
    .insertInto('schema_migrations')
    .values({ version: 999, name: 'later', applied_at: 0 })
    .execute();
  await database.destroy();
  const { code, printed, notes } = await run([], { DATA_DIR: data });
  expect([code, printed]).toEqual([1, []]);
  expect(notes).toEqual([
    expect.stringMatching(
      /^the database has schema version 999, but this program knows only up to [0-9]+: run a newer release$/,
    ),
  ]);
});

it.each<[why: string, argv: readonly string[], environment: NodeJS.ProcessEnv, code: number, line: RegExp]>([
  [
    'a word too many',
    ['now'],
    {},
    2,
    /^assay migrate: too many arguments\. Expected 0 arguments but got 1; see assay migrate --help$/,
  ],
  ['an invalid setting', [], { PORT: 'x' }, 1, /^invalid setting: PORT must be a port number$/],
  ['a place without room', [], { DATA_DIR: '/dev/null/x' }, 1, /^cannot open the database file /],
  [
    'a server that is away',
    [],
    { DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/x' },
    1,
    /^cannot reach the database 127\.0\.0\.1:1\/x: /,
  ],
])('%s is one line', async (_, argv, environment, code, line) => {
  const told = await run(argv, environment);
  expect([told.code, told.printed]).toEqual([code, []]);
  expect(told.notes).toEqual([expect.stringMatching(line)]);
  expect(told.notes[0]).not.toMatch(/secret|\n/);
});
