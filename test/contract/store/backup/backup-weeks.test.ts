import { describe, expect, it } from 'vitest';
import { type BackupLine, copyIn, copyOut } from '../../../../src/adapters/store/backup.ts';
import { aReceipt, receiptId } from '../../../../tools/samples/store-receipts.ts';
import { useEmptyPostgres } from '../../../support/storing/postgres-places.ts';
import { type NewPlace, newEmptySqlitePlace } from '../../../support/storing/stores.ts';

const newPostgres = useEmptyPostgres();
const ENGINES: readonly [string, NewPlace][] = [
  ['SQLite', newEmptySqlitePlace],
  ['PostgreSQL', () => newPostgres()],
];
/** Receipts and the partitions that a server has for them. */
const WEEKS: ReadonlyMap<string, string> = new Map([
  ['2026-08-03T00:00:00.000Z', 'live_receipts_2026w32'],
  ['2026-09-20T23:59:59.999Z', 'live_receipts_2026w38'],
  ['2026-11-15T12:00:00.000Z', 'live_receipts_2026w46'],
]);

async function* each(lines: readonly BackupLine[]) {
  yield* lines;
}

describe.each(ENGINES)('a backup of %s', (_, newPlace) => {
  it('has receipts of many weeks, which PostgreSQL keeps by week again', async () => {
    const many = await newPlace();
    const { receipts, receiptWeeks } = await many.open();
    await receiptWeeks.prepare(new Date());
    const times = [...WEEKS.keys(), '1970-01-02T00:00:00.000Z', '9999-01-01T00:00:00.000Z'];
    for (const [n, at] of times.entries()) {
      await receipts.add(aReceipt({ id: receiptId(n), checkedAt: new Date(at) }), 'key');
    }
    const seen: BackupLine[] = [];
    const connected = await many.connect();
    await copyOut(connected, async (line) => {
      seen.push(line);
    });
    await connected.database.destroy();
    const [sqlite, postgres] = [await newEmptySqlitePlace(), await newPostgres()];
    for (const empty of [sqlite, postgres]) {
      const target = await empty.connect();
      await copyIn(target, each(seen));
      await target.database.destroy();
      const store = await empty.open();
      for (const n of times.keys()) expect(await store.receipts.byId(receiptId(n))).not.toBeNull();
    }
    const partitions = await postgres.ask(
      'select tableoid::regclass::text as name from live_receipts order by id',
    );
    expect(partitions.map(({ name }) => name)).toEqual([
      ...WEEKS.values(),
      ...['live_receipts_earlier', 'live_receipts_later'],
    ]);
    for (const place of [many, sqlite, postgres]) await place.remove();
  });
});
