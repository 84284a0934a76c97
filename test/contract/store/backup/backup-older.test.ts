import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { HISTORY } from '../../../../src/adapters/store/migrations/history.ts';
import { migrate } from '../../../../src/adapters/store/migrations/migrate.ts';
import type { Migration } from '../../../../src/adapters/store/migrations/step.ts';
import { runBackup, runRestore } from '../../../../src/main/commands/backup/backup.ts';
import { operate } from '../../../support/running/command-line.ts';
import { useEmptyPostgres } from '../../../support/storing/postgres-places.ts';
import { type NewPlace, newEmptySqlitePlace, type Place } from '../../../support/storing/stores.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-backup-older-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ENGINES: readonly [string, NewPlace][] = [
  ['SQLite', newEmptySqlitePlace],
  ['PostgreSQL', useEmptyPostgres()],
];

describe.each(ENGINES)('assay backup before an upgrade of %s', (engine, newPlace) => {
  const places: Place[] = [];
  afterEach(() => Promise.all(places.splice(0).map((place) => place.remove())));
  const file = join(folder, `${engine}.gz`);

  const another = async (history: readonly Migration[]) => {
    const place = await newPlace();
    places.push(place);
    if (history.length === 0) return place;
    const connected = await place.connect();
    await migrate(connected, history);
    await connected.database.destroy();
    return place;
  };
  const run = (name: 'backup' | 'restore', { settings }: Place, to: string) =>
    operate([name, to], (given, output) => {
      const environment =
        'file' in settings ? { DATA_DIR: dirname(settings.file) } : { DATABASE_URL: settings.url };
      return (name === 'backup' ? runBackup : runRestore)(given, output, environment);
    });
  const versionOf = async (place: Place) =>
    Number((await place.ask('select max(version) as version from schema_migrations'))[0]?.['version']);

  it.each([1, 16, HISTORY.length - 1])(
    'leaves schema %i as it is: its release may start again',
    async (schema) => {
      const older = await another(HISTORY.slice(0, schema));
      await older.ask(`insert into counters ("window", key, used) values ('2026-11-15', 'k', 3)`);
      expect(await run('backup', older, `${file}.${schema}`)).toMatchObject({ code: 0 });
      expect(await versionOf(older)).toBe(schema);
      const restored = await another([]);
      expect(await run('restore', restored, `${file}.${schema}`)).toMatchObject({ code: 0 });
      expect(await versionOf(restored)).toBe(HISTORY.length);
      const [row] = await restored.ask('select key, used from counters');
      expect([row?.['key'], Number(row?.['used'])]).toEqual(['k', 3]);
    },
  );

  it('refuses a newer schema', async () => {
    const newer = await another([...HISTORY, { name: 'of-tomorrow', up: async () => {} }]);
    await expect(run('backup', newer, `${file}.newer`)).rejects.toThrow('run a newer release');
  });
});
