import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { weekFiles } from '../../../../src/adapters/archive/week-files.ts';
import type { Store } from '../../../../src/adapters/store/store.ts';
import { retireAlone } from '../../../../src/flows/operate/retire-alone.ts';
import type { RetirePorts } from '../../../../src/flows/operate/retire-receipts.ts';
import type { ArchivedReceipt } from '../../../../src/ports/archive/receipt-archive.ts';
import { aReceipt, receiptId } from '../../../../tools/samples/store-receipts.ts';
import { useEmptyPostgres } from '../../../support/storing/postgres-places.ts';
import { type NewPlace, newEmptySqlitePlace, type Place } from '../../../support/storing/stores.ts';

const newPostgres = useEmptyPostgres();
const ENGINES: readonly [string, NewPlace][] = [
  ['SQLite', newEmptySqlitePlace],
  ['PostgreSQL', () => newPostgres()],
];
const AT = new Date('2026-01-14T12:00:00.000Z');
const BEFORE = new Date('2026-02-16T00:00:00.000Z');
const WEEK = '2026w03';

describe.each(ENGINES)('two runs of assay retire on %s', (_, newPlace) => {
  let place: Place;
  let store: Store;
  let folder: string;

  beforeEach(async () => {
    place = await newPlace();
    store = await place.open();
    folder = await mkdtemp(join(tmpdir(), 'assay-archive-'));
    for (const n of [1, 2]) await add(n);
  });
  afterEach(async () => {
    await place.remove();
    await rm(folder, { recursive: true });
  });

  const add = (n: number) => store.receipts.add(aReceipt({ id: receiptId(n), checkedAt: AT }), 'key');
  const run = (holder: string, archive: RetirePorts['archive'] = weekFiles(folder)) =>
    retireAlone(BEFORE, {
      ...{ weeks: store.receiptWeeks, withdrawals: store.withdrawals, archive, onWeek: () => {} },
      ...{ jobs: store.jobs, now: () => AT, newId: () => holder },
      wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    });
  const archived = async () => {
    const ids: string[] = [];
    for await (const { id } of weekFiles(folder).read(WEEK)) ids.push(id);
    return ids.toSorted();
  };
  /** Runs something once, before a week is written. */
  const meanwhile = (work: () => Promise<void>): RetirePorts['archive'] => {
    const archive = weekFiles(folder);
    let isFirst = true;
    return {
      ...archive,
      write: (week, receipts) =>
        archive.write(
          week,
          (async function* () {
            yield* receipts;
            if (isFirst) {
              isFirst = false;
              await work();
            }
          })(),
        ),
    };
  };
  const expire = () => place.ask(`update jobs set held_until = 0 where name = 'retire'`);

  it('the second is refused while the first runs, and may run after it', async () => {
    const second: string[] = [];
    const first = await run(
      'a',
      meanwhile(async () => {
        second.push(await run('b'));
      }),
    );
    expect([first, second]).toEqual(['retired', ['held_elsewhere']]);
    expect(await archived()).toEqual([1, 2].map(receiptId));
    expect(await run('b')).toBe('retired');
  });

  it('one that failed leaves the hold to the next', async () => {
    const away = meanwhile(() => Promise.reject(new Error('the disk is full')));
    await expect(run('a', away)).rejects.toThrow('the disk is full');
    expect(await run('b')).toBe('retired');
  });

  it('one that was paused for longer than its lease replaces and removes nothing', async () => {
    const paused = run(
      'a',
      meanwhile(async () => {
        await expire();
        await add(3);
        expect(await run('b')).toBe('retired');
        await add(4);
      }),
    );
    await expect(paused).rejects.toThrow(/changed meanwhile|another run/);
    expect(await archived()).toEqual([1, 2, 3].map(receiptId));
    expect(await store.receipts.byId(receiptId(4))).not.toBeNull();
  });
});

describe('the file of a week', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-archive-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const receipts = async function* (...ns: number[]): AsyncGenerator<ArchivedReceipt> {
    for (const n of ns) yield { id: receiptId(n), mode: 'live', checkedAt: AT, body: '{}' };
  };
  const files = () => readdir(join(folder, 'receipts'));

  it('is not replaced if somebody else has replaced it since the writer began to read it', async () => {
    const archive = weekFiles(folder);
    const slow = async function* () {
      yield* receipts(1);
      await archive.write(WEEK, receipts(1, 2));
    };
    await expect(archive.write(WEEK, slow())).rejects.toThrow(`${WEEK}.ndjson.gz changed meanwhile`);
    const ids: string[] = [];
    for await (const { id } of archive.read(WEEK)) ids.push(id);
    expect(ids).toEqual([1, 2].map(receiptId));
    expect((await files()).toSorted()).toEqual([`${WEEK}.json`, `${WEEK}.ndjson.gz`]);
  });

  it('is not replaced while another process replaces it, and the message names the lock', async () => {
    await mkdir(join(folder, 'receipts'));
    const lock = join(folder, 'receipts', 'lock');
    await writeFile(lock, '');
    await expect(weekFiles(folder).write(WEEK, receipts(1))).rejects.toThrow(`delete ${lock}`);
    expect(await files()).toEqual(['lock']);
  });

  it('has a draft of another name in every process, also where all are process 1', async () => {
    await mkdir(join(folder, 'receipts', `${WEEK}.ndjson.gz.${process.pid}.part`), { recursive: true });
    await mkdir(join(folder, 'receipts', `${WEEK}.json.${process.pid}.part`));
    expect(await weekFiles(folder).write(WEEK, receipts(1))).toMatchObject({ receipts: 1 });
  });
});
