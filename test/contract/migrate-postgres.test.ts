import { afterEach, expect, it } from 'vitest';
import { migrate } from '../../src/main/migrate.ts';
import { type Place, usePostgres } from '../support/stores.ts';

const newPlace = usePostgres();
const places: Place[] = [];
afterEach(async () => {
  for (const place of places.splice(0)) await place.remove();
});

it('assay migrate brings a server up to this release, once, and leaves a newer one alone', async () => {
  const place = await newPlace();
  places.push(place);
  const [printed, complaints]: [string[], string[]] = [[], []];
  const ground = {
    environment: 'url' in place.settings ? { DATABASE_URL: place.settings.url } : {},
    print: (text: string) => printed.push(text),
    complain: (line: string) => complaints.push(line),
  };
  expect([await migrate([], ground), await migrate([], ground)]).toEqual([0, 0]);
  expect(printed[0]).toMatch(/^Applied first-tables, .*\. The schema is now at version [0-9]+\.$/);
  expect(printed[1]).toMatch(/^The schema is current: version [0-9]+\.$/);
  await place.ask("insert into schema_migrations (version, name, applied_at) values (999, 'later', 0)");
  expect([await migrate([], ground), complaints]).toEqual([
    1,
    [expect.stringMatching(/^the database has schema version 999, .*: run a newer release$/)],
  ]);
});
