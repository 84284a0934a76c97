import { afterEach, expect, it } from 'vitest';
import { migrate } from '../../../../src/main/commands/migrate.ts';
import { operate } from '../../../support/running/command-line.ts';
import { useEmptyPostgres } from '../../../support/storing/postgres-places.ts';
import type { Place } from '../../../support/storing/stores.ts';

const newPlace = useEmptyPostgres();
const places: Place[] = [];
afterEach(async () => {
  for (const place of places.splice(0)) await place.remove();
});

it('assay migrate brings a server up to this release, once, and leaves a newer one alone', async () => {
  const place = await newPlace();
  places.push(place);
  const environment = 'url' in place.settings ? { DATABASE_URL: place.settings.url } : {};
  const run = () => operate(['migrate'], (given, output) => migrate(given, output, environment));
  const [first, second] = [await run(), await run()];
  expect([first.code, second.code]).toEqual([0, 0]);
  expect(first.printed[0]).toMatch(/^Applied first-tables, .*\. The schema is now at version [0-9]+\.$/);
  expect(second.printed[0]).toMatch(/^The schema is current: version [0-9]+\.$/);
  await place.ask("insert into schema_migrations (version, name, applied_at) values (999, 'later', 0)");
  const third = await run();
  expect([third.code, third.notes]).toEqual([
    1,
    [expect.stringMatching(/^the database has schema version 999, .*: run a newer release$/)],
  ]);
});
