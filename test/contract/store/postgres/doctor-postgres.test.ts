import { afterEach, beforeEach, expect, it } from 'vitest';
import { fingerprintOf } from '../../../../src/main/build/same-secret.ts';
import { examined, SECRET } from '../../../support/operating/examining.ts';
import { useEmptyPostgres, usePostgres } from '../../../support/storing/postgres-places.ts';
import type { Place } from '../../../support/storing/stores.ts';

const newPlace = usePostgres();
const newEmptyPlace = useEmptyPostgres();
let place: Place;

beforeEach(async () => {
  place = await newPlace();
});
afterEach(() => place.remove());

const look = ({ settings }: Place, world = {}) =>
  examined({ DATABASE_URL: 'url' in settings ? settings.url : '', SECRET }, world);

it('is content with a database of this release, whose clock is ours', async () => {
  await (await place.open()).secretMark.keep(fingerprintOf(SECRET));
  const finding = await look(place);
  expect(finding('store')).toMatchObject({ status: 'ok', says: 'PostgreSQL takes writes' });
  for (const name of ['schema', 'secret', 'clock of the database']) expect(finding(name).status).toBe('ok');
});

it('finds a database without tables, and makes none', async () => {
  const empty = await newEmptyPlace();
  const finding = await look(empty);
  expect(finding('store')).toMatchObject({ status: 'ok', says: 'PostgreSQL answers, without tables yet' });
  expect(finding('schema')).toMatchObject({ status: 'failure', says: expect.stringMatching(/^version 0; /) });
  expect(finding('secret').status).toBe('off');
  expect((await look(empty))('schema').status).toBe('failure');
  await empty.remove();
});

it('finds another secret, and a clock that is apart', async () => {
  await (await place.open()).secretMark.keep(fingerprintOf('the-secret-of-another-machine'));
  const finding = await look(place, { now: () => new Date(Date.now() - 45_000) });
  expect(finding('secret').status).toBe('failure');
  expect(finding('clock of the database')).toMatchObject({
    status: 'failure',
    says: expect.stringMatching(/^4[45]\.[0-9] s ahead of the clock of this machine$/),
  });
});

it('finds a server that only reads, such as a standby', async () => {
  const url = new URL('url' in place.settings ? place.settings.url : '');
  url.searchParams.set('options', `${url.searchParams.get('options')} -c default_transaction_read_only=on`);
  const finding = await examined({ DATABASE_URL: url.href, SECRET });
  expect(finding('store')).toMatchObject({
    status: 'failure',
    says: expect.stringContaining('read-only transaction'),
  });
});
