import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backupLine, copyIn } from '../../../../src/adapters/store/backup.ts';
import { afterNoon, receiptId } from '../../../../tools/samples/store-receipts.ts';
import { LOOKUP } from '../../../support/asking.ts';
import { ANSWER, aClaim } from '../../../support/paying/payments.ts';
import { startService, type TestService } from '../../../support/running/running-service.ts';
import { useEmptyPostgres } from '../../../support/storing/postgres-places.ts';
import { type NewPlace, newEmptySqlitePlace, type Place } from '../../../support/storing/stores.ts';

/** Stores as earlier releases left them, one file for each schema that was ever released. They are never changed. */
const FOLDER = new URL('../../../../fixtures/stores/', import.meta.url);
const FILES = readdirSync(FOLDER).sort();

async function* linesOf(file: string) {
  const text = readFileSync(new URL(file, FOLDER), 'utf8');
  for (const line of text.trimEnd().split('\n')) yield backupLine.parse(JSON.parse(line));
}

const newPostgres = useEmptyPostgres();
const ENGINES: readonly [string, NewPlace][] = [
  ['SQLite', newEmptySqlitePlace],
  ['PostgreSQL', () => newPostgres()],
];

describe.each(ENGINES)('this release on %s serves', (_, newPlace) => {
  describe.each(FILES)('what is in %s', (file) => {
    let place: Place;
    let service: TestService;

    beforeAll(async () => {
      place = await newPlace();
      const connected = await place.connect();
      await copyIn(connected, linesOf(file));
      await connected.database.destroy();
      service = await startService({ place });
    });
    afterAll(() => service.close());

    it('a receipt by its id and by its URL', async () => {
      expect((await service.ask(`/v1/receipts/${receiptId(7)}`)).json).toMatchObject({ verdict: 'pay' });
      const { json } = await service.ask('/v1/receipts/by-url?url=https://a.example/x');
      expect(json.latest_live.id).toBe(receiptId(7));
    });

    it('the crawl, its pages and its receipts', async () => {
      const { json } = await service.ask('/v1/skips.json');
      expect(json).toMatchObject({ endpoints_covered: 3, skip: 2, pay: 1, skip_pages: 1 });
      expect(json.skips.map(({ id }: { id: string }) => id)).toEqual(['aaaaaaaaaa', 'bbbbbbbbbb']);
      expect((await service.ask('/v1/receipts/cccccccccc')).json).toMatchObject({ verdict: 'pay' });
      expect((await service.ask('/v1/skips')).status).toBe(200);
    });

    it('paid calls in a lookup', async () => {
      const { json } = await service.ask(`${LOOKUP}?task=weather`);
      expect(json.results[0]).toMatchObject({ pass_rate: 1, graded_receipts: 2 });
    });

    it('the answer that a payment has bought', async () => {
      const { payments } = await place.open();
      const { key, requestKey, identifier } = aClaim({ identifier: 'order-1' });
      const standing = await payments.look({ key, requestKey, identifier, from: 'network' }, afterNoon(10));
      expect(standing).toMatchObject({ kind: 'settled', answer: ANSWER });
    });
  });
});
