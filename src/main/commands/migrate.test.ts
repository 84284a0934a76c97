import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { operate } from '../../../test/support/running/command-line.ts';
import { connectSqlite } from '../../adapters/store/sqlite/open.ts';
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
