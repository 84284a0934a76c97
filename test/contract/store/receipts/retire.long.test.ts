import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { weekFiles } from '../../../../src/adapters/archive/week-files.ts';
import type { Store } from '../../../../src/adapters/store/store.ts';
import { type RetirePorts, retireReceipts } from '../../../../src/flows/operate/retire-receipts.ts';
import { aReceipt, receiptId } from '../../../../tools/samples/store-receipts.ts';
import { useEmptyPostgres } from '../../../support/storing/postgres-places.ts';
import { type NewPlace, newEmptySqlitePlace, type Place } from '../../../support/storing/stores.ts';

const newPostgres = useEmptyPostgres();
const ENGINES: readonly [string, NewPlace][] = [
  ['SQLite', newEmptySqlitePlace],
  ['PostgreSQL', () => newPostgres()],
];
/** Two in one week, one in the next, a gap, one after it, and two that stay. */
const TIMES = [
  ...['2027-06-02T12:00:00.000Z', '2027-06-06T23:59:59.999Z', '2027-06-07T00:00:00.000Z'],
  ...['2027-06-23T12:00:00.000Z', '2027-06-28T00:00:00.000Z', '2027-07-14T12:00:00.000Z'],
];
const BEFORE = new Date('2027-06-28T00:00:00.000Z');
const OLD = [0, 1, 2, 3];
const KEPT = [4, 5];
/** Before there were partitions, so that a server has it in its first one. */
const ANCIENT = 9;

describe.each(ENGINES)('retiring receipts on %s', (_, newPlace) => {
  let place: Place;
  let store: Store;
  let folder: string;

  beforeEach(async () => {
    place = await newPlace();
    store = await place.open();
    folder = await mkdtemp(join(tmpdir(), 'assay-archive-'));
    await store.receiptWeeks.prepare(new Date('2027-07-14T12:00:00.000Z'));
    for (const [n, at] of TIMES.entries()) await add(n, at);
    await add(ANCIENT, '2026-01-14T12:00:00.000Z');
  });
  afterEach(async () => {
    await place.remove();
    await rm(folder, { recursive: true });
  });

  const add = (n: number, at: string) =>
    store.receipts.add(
      aReceipt({
        id: receiptId(n),
        checkedAt: new Date(at),
        mode: n % 2 === 0 ? 'live' : 'dry-run',
        task: 'line\u2028end',
      }),
      'key',
    );
  const ports = (): RetirePorts => ({
    weeks: store.receiptWeeks,
    withdrawals: store.withdrawals,
    archive: weekFiles(folder),
    onWeek: () => {},
    keepHold: async () => {},
  });
  const retire = (changed: Partial<RetirePorts> = {}) => retireReceipts(BEFORE, { ...ports(), ...changed });
  const archived = async () => {
    const found = new Map<string, string>();
    for (const week of ['2026w03', '2027w22', '2027w23', '2027w24', '2027w25', '2027w26'])
      for await (const { id, body } of weekFiles(folder).read(week)) found.set(id, body);
    return found;
  };
  const statementOf = async (n: number) => (await store.receipts.statement(receiptId(n))) ?? '';

  it('moves whole weeks, byte for byte, and leaves the others and the log', async () => {
    const before = new Map<string, string>();
    for (const n of [...OLD, ANCIENT]) before.set(receiptId(n), await statementOf(n));
    const entries = await place.ask('select id, entry from log_entries order by id');
    const told: string[] = [];
    await retire({ onWeek: ({ week, receipts }) => told.push(`${week} ${receipts}`) });
    expect(told).toEqual(['2026w03 1', '2027w22 2', '2027w23 1', '2027w25 1']);
    expect(await archived()).toEqual(before);
    for (const n of [...OLD, ANCIENT]) expect(await store.receipts.byId(receiptId(n))).toBeNull();
    for (const n of KEPT) expect(await store.receipts.byId(receiptId(n))).not.toBeNull();
    expect(await place.ask('select id, entry from log_entries order by id')).toEqual(entries);
    const manifest = JSON.parse(await readFile(join(folder, 'receipts/2027w22.json'), 'utf8'));
    expect(manifest).toEqual({
      assay_archive: 1,
      week: '2027w22',
      file: '2027w22.ndjson.gz',
      receipts: 2,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('has a place for every time afterwards, and retires what comes late', async () => {
    await retire();
    await add(20, '2027-06-02T13:00:00.000Z');
    await add(21, '2026-01-14T13:00:00.000Z');
    expect(await store.receipts.byId(receiptId(20))).not.toBeNull();
    await retire();
    expect([...(await archived()).keys()].toSorted()).toEqual(
      [...OLD, ANCIENT, 20, 21].map(receiptId).toSorted(),
    );
    expect(await place.ask('select id from live_receipts')).toHaveLength(KEPT.length);
    await retire();
    expect((await archived()).size).toBe(OLD.length + 3);
  });

  it('does not give an id a second time', async () => {
    await retire();
    await expect(add(0, '2027-07-14T12:00:00.000Z')).rejects.toThrow();
  });

  /** Every call that changes something, and the end before and after each of them. */
  const CALLS = ['write', 'drop', 'remove'] as const;
  it.each(
    CALLS.flatMap((call) =>
      [1, 2, 3].flatMap((n) => (['before', 'after'] as const).map((when) => [when, call, n] as const)),
    ),
  )('loses nothing when it ends %s %s number %i, and goes on', async (when, call, number) => {
    const all = [...OLD, ...KEPT, ANCIENT].map(receiptId);
    let calls = 0;
    const ending = async <T>(name: string, run: () => Promise<T>): Promise<T> => {
      calls += name === call ? 1 : 0;
      const isEnd = name === call && calls === number;
      if (isEnd && when === 'before') throw new Error('ended');
      const value = await run();
      if (isEnd) throw new Error('ended');
      return value;
    };
    const { weeks, archive } = ports();
    await retire({
      weeks: {
        ...weeks,
        drop: (part, mark) => ending('drop', () => weeks.drop(part, mark)),
        remove: (ids) => ending('remove', () => weeks.remove(ids)),
      },
      archive: {
        ...archive,
        write: (week, receipts) => ending('write', () => archive.write(week, receipts)),
      },
    }).catch((fault: unknown) => expect(String(fault)).toBe('Error: ended'));
    const kept = new Set((await place.ask('select id from live_receipts')).map(({ id }) => String(id)));
    const moved = await archived();
    expect(all.filter((id) => !kept.has(id) && !moved.has(id))).toEqual([]);
    await retire();
    expect((await archived()).size).toBe(OLD.length + 1);
    expect(await place.ask('select id from live_receipts')).toHaveLength(KEPT.length);
  });

  it('leaves what is withdrawn meanwhile out of the archive', async () => {
    const { archive } = ports();
    let isFirst = true;
    await retire({
      archive: {
        ...archive,
        async write(week, receipts) {
          const written = await archive.write(week, receipts);
          if (week === '2027w22' && isFirst) {
            isFirst = false;
            await store.withdrawals.withdraw(receiptId(1), 'secret', BEFORE);
          }
          return written;
        },
      },
    });
    expect([...(await archived()).keys()].toSorted()).toEqual([0, 2, 3, ANCIENT].map(receiptId));
    expect(await store.withdrawals.find(receiptId(1))).toMatchObject({ because: 'secret' });
  });

  it('keeps a receipt that comes while its week is archived', async () => {
    const { archive } = ports();
    let isFirst = true;
    await retire({
      archive: {
        ...archive,
        async write(week, receipts) {
          const written = await archive.write(week, receipts);
          if (week === '2027w22' && isFirst) {
            isFirst = false;
            await add(30, '2027-06-02T14:00:00.000Z');
          }
          return written;
        },
      },
    });
    const isKept = (await store.receipts.byId(receiptId(30))) !== null;
    expect(isKept || (await archived()).has(receiptId(30))).toBe(true);
  });

  it('a retired receipt can still be withdrawn, by the hash that the log has', async () => {
    const [row] = await place.ask(`select entry from log_entries where id = '${receiptId(0)}'`);
    await retire();
    const withdrawal = await store.withdrawals.withdraw(receiptId(0), 'legal', BEFORE);
    expect(String(row?.['entry'])).toContain(withdrawal?.sha256);
    expect(await store.withdrawals.find(receiptId(0))).toEqual(withdrawal);
    expect(await store.withdrawals.withdraw(receiptId(99), 'legal', BEFORE)).toBeNull();
  });

  it('writes no half of a file', async () => {
    const { archive } = ports();
    const failing = async function* () {
      yield { id: receiptId(0), mode: 'live', checkedAt: BEFORE, body: '{}' } as const;
      throw new Error('the store is away');
    };
    await expect(archive.write('2027w22', failing())).rejects.toThrow('the store is away');
    expect(existsSync(join(folder, 'receipts/2027w22.ndjson.gz'))).toBe(false);
  });
});
