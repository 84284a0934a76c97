import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BackupLine, backupLine, copyIn, copyOut } from '../../../../src/adapters/store/backup.ts';
import { HISTORY } from '../../../../src/adapters/store/migrations/history.ts';
import { openSqlite } from '../../../../src/adapters/store/sqlite/open.ts';
import { microUsd } from '../../../../src/core/money/micro-usd.ts';
import { fingerprintOf } from '../../../../src/main/build/same-secret.ts';
import { runBackup, runRestore } from '../../../../src/main/commands/backup/backup.ts';
import { aReceipt } from '../../../../tools/samples/store-receipts.ts';
import { storeCalls } from '../../../support/asking.ts';
import { probeStart } from '../../../support/probing/probe-start.ts';
import { operate } from '../../../support/running/command-line.ts';
import { useEmptyPostgres } from '../../../support/storing/postgres-places.ts';
import { type NewPlace, newEmptySqlitePlace, type Place } from '../../../support/storing/stores.ts';

const newPostgres = useEmptyPostgres();
const ENGINES: readonly [string, NewPlace][] = [
  ['SQLite', newEmptySqlitePlace],
  ['PostgreSQL', () => newPostgres()],
];
const NOW = new Date('2026-11-15T12:00:00.000Z');

/** Rows in tables of every kind, with texts that are hard to carry. */
async function fill(place: Place): Promise<void> {
  const store = await place.open();
  for (let n = 0; n < 450; n += 1) {
    await store.counters.reserve([{ key: `k${n} "ü\n😀`, window: '2026-11-15', limit: 5 }]);
  }
  await store.receipts.add(aReceipt({ id: 'sc-0000000000000001' }), 'a-url-key');
  await storeCalls(store, 'a-service', [{ quality: 'pass' }]);
  await store.quotes.remember({ key: 'q', amount: microUsd(250_000n) }, NOW);
  await store.runs.begin('run-1', NOW);
  await store.jobs.claim({ name: 'crawl', holder: 'h', now: NOW, leaseMs: 0 });
  await store.checks.start(probeStart('a/1'), 600_000);
}

const TABLES =
  "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name";
const TABLES_PG = `select relname as name from pg_class where relnamespace = current_schema()::regnamespace
    and relkind in ('r', 'p') and not relispartition order by 1`;

/** Every row of every table but the history of the schema. */
async function contents(place: Place): Promise<Record<string, unknown[]>> {
  const tables = await place.ask('file' in place.settings ? TABLES : TABLES_PG);
  const found: Record<string, unknown[]> = {};
  for (const { name } of tables) {
    if (name === 'schema_migrations') continue;
    const rows = await place.ask(`select * from ${String(name)}`);
    found[String(name)] = rows.map((row) => JSON.stringify(plain(row))).sort();
  }
  return found;
}

/** PostgreSQL has texts for large numbers, and columns in another order. */
function plain(row: Record<string, unknown>): unknown {
  const values = Object.entries(row).map(([name, value]) => [name, value === null ? null : String(value)]);
  return values.sort(([left], [right]) => (String(left) < String(right) ? -1 : 1));
}

async function linesOf(place: Place): Promise<BackupLine[]> {
  const lines: BackupLine[] = [];
  const connected = await place.connect();
  await copyOut(connected, async (line) => {
    lines.push(JSON.parse(JSON.stringify(line)));
  });
  await connected.database.destroy();
  return lines;
}

async function restore(place: Place, lines: readonly BackupLine[]): Promise<number> {
  const connected = await place.connect();
  try {
    return await copyIn(connected, each(lines));
  } finally {
    await connected.database.destroy();
  }
}

async function* each(lines: readonly BackupLine[]): AsyncGenerator<BackupLine> {
  yield* lines;
}

describe.each(ENGINES)('a backup of %s', (_, newPlace) => {
  const places: Place[] = [];
  const another = async (make: NewPlace) => {
    const place = await make();
    places.push(place);
    return place;
  };
  let full: Place;
  let lines: BackupLine[];
  beforeAll(async () => {
    full = await another(newPlace);
    await fill(full);
    lines = await linesOf(full);
  });
  afterAll(async () => {
    for (const place of places) await place.remove();
  });

  it('leaves no table out but those that a restored store makes anew', async () => {
    const tables = await full.ask('file' in full.settings ? TABLES : TABLES_PG);
    const left = tables.filter(({ name }) => !backupLine.safeParse({ table: name, rows: [] }).success);
    expect(left.map(({ name }) => name)).toEqual([
      'log_tiles',
      'schema_migrations',
      'snapshot_parts',
      'snapshots',
    ]);
  });

  it.each(ENGINES)('has every row of every table, and %s takes them all', async (_name, make) => {
    const empty = await another(make);
    expect(await restore(empty, lines)).toBeGreaterThan(450);
    expect(await contents(empty)).toEqual(await contents(full));
    const store = await empty.open();
    expect(await store.receipts.byId('sc-0000000000000001')).not.toBeNull();
  });

  it.each<[string, (all: BackupLine[]) => BackupLine[], string]>([
    ['nothing', () => [], 'the file is no backup of assay'],
    ['no head', (all) => all.slice(1), 'the file is no backup of assay'],
    ['no end', (all) => all.slice(0, -1), 'the backup ends before its end'],
    ['a part that is missing', (all) => all.filter((_line, n) => n !== 1), 'rows instead of'],
    ['two of them', (all) => [...all.slice(0, -1), ...all], 'the backup begins a second time'],
    [
      'a newer schema',
      ([, ...rest]) => [{ assay_backup: 1, schema: HISTORY.length + 1 }, ...rest],
      'newer than this program',
    ],
  ])('is refused whole: %s', async (_name, change, message) => {
    const empty = await another(newPlace);
    await expect(restore(empty, change(lines))).rejects.toThrow(message);
    const left = await contents(empty);
    expect(Object.values(left).flat()).toEqual([]);
    // And the good one is still welcome.
    expect(await restore(empty, lines)).toBeGreaterThan(450);
  });

  it('never goes into a store that has been used', async () => {
    const before = await contents(full);
    await expect(restore(full, lines)).rejects.toThrow('the store has been used already');
    expect(await contents(full)).toEqual(before);
  });

  it('of an older schema is brought up to date', async () => {
    const head: BackupLine = { assay_backup: 1, schema: 2 };
    const rows = [{ id: 'sc-1', mode: 'live', ref: null, checked_at: 1, url_key: 'k', body: '{}' }];
    const empty = await another(newPlace);
    await restore(empty, [head, { table: 'live_receipts', rows }, { end: true, rows: 1 }]);
    expect(await empty.ask('select max(version) as version from schema_migrations')).toEqual([
      { version: HISTORY.length },
    ]);
    expect(await empty.ask('select id from live_receipts')).toEqual([{ id: 'sc-1' }]);
  });

  it('is of one moment, whatever is written meanwhile', async () => {
    const busy = await another(newPlace);
    await fill(busy);
    const store = await busy.open();
    const connected = await busy.connect();
    const before = await contents(busy);
    const seen: BackupLine[] = [];
    await copyOut(connected, async (line) => {
      seen.push(JSON.parse(JSON.stringify(line)));
      await store.receipts.add(aReceipt({ id: `sc-000000000000${1_000 + seen.length}` }), 'k');
    });
    await connected.database.destroy();
    const empty = await another(newPlace);
    await restore(empty, seen);
    expect((await contents(empty))['live_receipts']).toEqual(before['live_receipts']);
  });
});

describe('assay backup and assay restore', () => {
  let said: readonly string[] = [];
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-backup-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const at = (name: string) => join(folder, name);
  const run = async (name: 'backup' | 'restore', dataDir: string, ...argv: string[]) => {
    const command = name === 'backup' ? runBackup : runRestore;
    const { code, notes } = await operate([name, ...argv], (given, output) =>
      command(given, output, { DATA_DIR: at(dataDir) }),
    );
    said = notes;
    return code;
  };

  it('go there and back, and say when the secret is another', async () => {
    await writeSecret('old', 'o'.repeat(64));
    await makeStore('old');
    expect(await run('backup', 'old', at('all.gz'))).toBe(0);
    expect(gunzipSync(readFileSync(at('all.gz'))).toString()).not.toContain('oooo');
    expect(await run('restore', 'new', at('all.gz'))).toBe(0);
    expect(said.at(-1)).toContain('the secret differs from that of the backup');
    await writeSecret('same', 'o'.repeat(64));
    expect(await run('restore', 'same', at('all.gz'))).toBe(0);
    expect(said).toEqual(['1 rows restored']);
  });

  it.each<[string, () => Promise<unknown>, RegExp, number?]>([
    ['a file that is there', () => run('backup', 'old', at('all.gz')), /already exists/],
    ['a file that is not', () => run('restore', 'x1', at('none.gz')), /does not exist/],
    ['no file', () => run('backup', 'x2'), /missing required argument 'file'/, 2],
    ['a folder without a store', () => run('backup', 'x4', at('x4.gz')), /there is no store/],
    ['an option', () => run('restore', 'x3', '--force'), /unknown option '--force'/, 2],
  ])('refuse %s', async (_, refused, message, code = 1) => {
    expect(await refused()).toBe(code);
    expect(said.at(-1)).toMatch(message);
  });

  it.each<[string, (file: string) => Promise<void>, string]>([
    ['is cut off', (file) => truncate(file, 40), 'is cut off: use another backup'],
    ['is no archive', (file) => writeFile(file, 'hello'), 'is no backup of assay, or is damaged'],
    ['holds no JSON', (file) => writeFile(file, gzipSync('hello\n')), 'is no backup of assay, or is damaged'],
    [
      'names a table that is none',
      (file) => writeFile(file, gzipSync('{"assay_backup":1,"schema":1}\n{"table":"x","rows":[]}\n')),
      'is no backup of assay, or is damaged',
    ],
    ['is a folder', (file) => rm(file).then(() => mkdir(file)), 'is a folder'],
  ])('refuse a file that %s', async (name, spoil, says) => {
    const file = at(`${name}.gz`);
    await run('backup', 'old', file);
    await spoil(file);
    await expect(run('restore', name, file)).rejects.toThrow(new Error(`${file} ${says}`));
  });

  async function makeStore(dataDir: string): Promise<void> {
    const store = await openSqlite({ file: at(`${dataDir}/assay.db`) });
    await store.secretMark.keep(fingerprintOf('o'.repeat(64)));
    await store.close();
  }

  async function writeSecret(dataDir: string, secret: string): Promise<void> {
    const { mkdir } = await import('node:fs/promises');
    await mkdir(at(dataDir), { recursive: true });
    await writeFile(at(`${dataDir}/secret`), secret);
  }
});
