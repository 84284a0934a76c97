import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appendAll, entriesTo, FIRST_EPOCH, signersOf } from '../../../test/support/log/test-log.ts';
import { publishLogged } from '../../../test/support/log/test-runs.ts';
import { newSqlitePlace, type Place } from '../../../test/support/storing/stores.ts';
import { tilesOf } from '../../core/log/tile.ts';
import type { LogStore } from '../../ports/log/transparency-log.ts';
import { beginEpoch, restoreTiles } from './begin-epoch.ts';
import { createRunLog, type RunLogPorts } from './log-run.ts';
import { scrubDaily, scrubLog } from './scrub-log.ts';

let place: Place;
let log: LogStore;

beforeEach(async () => {
  place = await newSqlitePlace();
  log = (await place.open()).transparencyLog;
  await log.open(FIRST_EPOCH);
  await log.add(entriesTo(600));
  await appendAll(log);
});
afterEach(() => place.remove());

const allTiles = async () =>
  Promise.all([...tilesOf(600)].map(async (tile) => Buffer.from((await log.tile('1', tile)) ?? [])));

describe('scrubbing the log', () => {
  it('finds nothing in a log that is in order', async () => {
    expect(await scrubLog(log)).toEqual([
      { origin: FIRST_EPOCH.origin, size: 600, mended: [], isDamaged: false },
    ]);
  });

  it.each([...tilesOf(600)].map((tile) => [`${tile.level}/${tile.index}`, tile] as const))(
    'mends one flipped bit in tile %s',
    async (_, tile) => {
      const before = await allTiles();
      const flipped = Buffer.from((await log.tile('1', tile)) ?? []);
      flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 0x80;
      await log.keepTiles('1', [{ tile, bytes: flipped }]);
      const [scrubbed] = await scrubLog(log);
      expect(scrubbed).toMatchObject({ isDamaged: false, mended: [expect.any(String)] });
      expect(await allTiles()).toEqual(before);
      await log.add(entriesTo(1, 900));
      expect(await appendAll(log)).toBe(1);
    },
  );

  it('says that an entry has changed or is missing, and changes nothing', async () => {
    const changed: LogStore = {
      ...log,
      entries: async (tree, from, count) =>
        (await log.entries(tree, from, count)).map((one) => ({ ...one, entry: one.entry.replace('A', 'B') })),
    };
    const missing: LogStore = { ...log, entries: async (tree, from) => log.entries(tree, from, 5) };
    for (const damaged of [changed, missing]) {
      expect(await scrubLog(damaged)).toMatchObject([{ isDamaged: true, mended: [] }]);
    }
  });
});

describe('the daily scrub', () => {
  it('is done once a day, by one of several processes', async () => {
    const clock = { now: new Date('2026-11-15T12:00:00.000Z') };
    const processes = await Promise.all([1, 2, 3].map(() => place.open()));
    const round = () =>
      Promise.all(
        processes.map(({ jobs, transparencyLog }, n) =>
          scrubDaily({ jobs, log: transparencyLog, now: () => clock.now, newId: () => `process ${n}` }),
        ),
      );
    const done = async () => (await round()).filter((one) => one !== null).length;
    expect(await done()).toBe(1);
    expect(await done()).toBe(0);
    clock.now = new Date('2026-11-16T12:00:00.000Z');
    expect(await done()).toBe(1);
  });

  it('does not wait for a date of a wrong clock', async () => {
    const { jobs, transparencyLog } = await place.open();
    const at = async (time: string) =>
      scrubDaily({ jobs, log: transparencyLog, now: () => new Date(time), newId: () => 'a process' });
    expect(await at('2027-11-15T12:00:00.000Z')).toHaveLength(1);
    expect(await at('2026-11-15T12:00:00.000Z')).toHaveLength(1);
    expect(await at('2026-11-15T12:01:00.000Z')).toBeNull();
    expect(await at('2026-11-15T11:59:00.000Z')).toBeNull();
  });
});

describe('a restored store', () => {
  it('makes its tiles again from the entries, and begins a new epoch', async () => {
    const before = await allTiles();
    const empty = [...tilesOf(600)].map((tile) => ({ tile, bytes: Buffer.alloc(tile.width * 32) }));
    await log.keepTiles('1', empty);
    expect(await restoreTiles(log)).toEqual([]);
    expect(await allTiles()).toEqual(before);
    await log.add(entriesTo(1, 900));
    const head = await beginEpoch(log, '');
    expect(head).toMatchObject({ tree: '2', origin: `${FIRST_EPOCH.origin}/2` });
    await appendAll(log);
    const [first] = await log.entries('2', 0, 1);
    const old = await log.head('1');
    const root = Buffer.from(old?.root ?? []).toString('base64');
    expect(first?.entry).toBe(`assay epoch v1\n${FIRST_EPOCH.origin}\n600 ${root}\n`);
  });

  it('says which log does not give its root', async () => {
    const broken: LogStore = { ...log, entries: async (tree, from) => log.entries(tree, from, 5) };
    expect(await restoreTiles(broken)).toEqual([FIRST_EPOCH.origin]);
  });
});

describe('the tree of a run', () => {
  const [tree, size] = ['run:run', 600];
  const tile = { level: 0, index: 1, width: 256 };
  const tiles = async () =>
    Promise.all([...tilesOf(size)].map(async (one) => Buffer.from((await log.tile(tree, one)) ?? [])));

  beforeEach(async () => {
    const keeper: RunLogPorts['keeper'] = { open: async () => {}, state: () => 'ok' };
    const runLog = createRunLog({ log, keeper, signersOf, runSignersOf: () => [] });
    await publishLogged(await place.open(), 'run', size, runLog);
  });

  it('is mended from the rows of the run, one run at a turn', async () => {
    const before = await tiles();
    for (const turn of [0, 1, 20_000]) {
      await log.keepTiles(tree, [{ tile, bytes: Buffer.alloc(256 * 32) }]);
      expect(await scrubLog(log, turn)).toMatchObject([
        { mended: [] },
        { origin: `${FIRST_EPOCH.origin}/run/run`, mended: ['tile/0/001'], isDamaged: false },
      ]);
      expect(await tiles()).toEqual(before);
    }
  });

  it('is made again in a restored store', async () => {
    const before = await tiles();
    for (const one of tilesOf(size)) {
      await log.keepTiles(tree, [{ tile: one, bytes: Buffer.alloc(one.width * 32) }]);
    }
    await restoreTiles(log);
    expect(await tiles()).toEqual(before);
  });

  it('shows that a row of it has changed', async () => {
    const { database } = await place.connect();
    await database
      .updateTable('crawl_receipts')
      .set({ body: '{}' })
      .where('url', 'like', '%000300')
      .execute();
    await database.destroy();
    expect(await scrubLog(log)).toMatchObject([{ isDamaged: false }, { isDamaged: true, mended: [] }]);
    expect(await restoreTiles(log)).toEqual([`${FIRST_EPOCH.origin}/run/run`]);
  });
});
