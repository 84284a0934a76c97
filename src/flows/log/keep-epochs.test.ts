import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anEntry, entriesTo, memoryMark, ORIGIN, testKeeper } from '../../../test/support/log/test-log.ts';
import { newSqlitePlace, type Place } from '../../../test/support/storing/stores.ts';
import { parseEntry } from '../../core/log/entry.ts';
import type { LogStore } from '../../ports/log/transparency-log.ts';
import { beginEpoch } from './begin-epoch.ts';
import { NO_KEYS } from './log-keys.ts';

let place: Place;
let log: LogStore;

beforeEach(async () => {
  place = await newSqlitePlace();
  log = (await place.open()).transparencyLog;
});
afterEach(() => place.remove());

const [stolen, fresh] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];

describe('a process that runs while the log changes', () => {
  it('does not sign an epoch that began after a key was stolen', async () => {
    const running = testKeeper(log, { key: stolen });
    await log.add([anEntry(1)]);
    await running.keeper.round();
    await beginEpoch(log, NO_KEYS);
    await running.keeper.round();
    expect(running.keeper.state()).toBe('other_keys');
    expect(running.keeper.promise(anEntry(2).id, new Uint8Array(32), new Date(0))).toBeNull();
    expect(await log.current()).toMatchObject({ tree: '2', size: 0, checkpoint: null });
    const restarted = testKeeper(log, { key: fresh });
    await restarted.keeper.round();
    expect(restarted.keeper.state()).toBe('ok');
    expect(await log.current()).toMatchObject({ tree: '2', size: 1, published: { size: 1 } });
  });

  it('notices a database that was set back and that another process has grown since', async () => {
    const restored = await newSqlitePlace();
    try {
      const older = (await restored.open()).transparencyLog;
      await older.add(entriesTo(9, 100));
      await testKeeper(older).keeper.round();
      const stores = { now: log };
      const { keeper } = testKeeper({
        ...log,
        current: () => stores.now.current(),
        tile: (tree, tile) => stores.now.tile(tree, tile),
        append: (limit, grow) => stores.now.append(limit, grow),
      });
      await log.add(entriesTo(5));
      await keeper.round();
      stores.now = older;
      await keeper.round();
      expect(keeper.state()).toBe('behind');
    } finally {
      await restored.remove();
    }
  });

  it('notices a database that was set back to before the epoch that its mark is of', async () => {
    const restored = await newSqlitePlace();
    try {
      const older = (await restored.open()).transparencyLog;
      const mark = memoryMark();
      for (const one of [log, older]) {
        await one.add(entriesTo(3));
        await testKeeper(one).keeper.round();
      }
      await beginEpoch(log, NO_KEYS);
      await testKeeper(log, { mark }).keeper.round();
      await older.add([anEntry(900)]);
      const { keeper } = testKeeper(older, { mark });
      await keeper.round();
      expect(keeper.state()).toBe('behind');
      expect(await older.current()).toMatchObject({ tree: '1', size: 3 });
    } finally {
      await restored.remove();
    }
  });

  it('begins an epoch where the old one has really ended', async () => {
    const { keeper } = testKeeper(log);
    await log.add(entriesTo(3));
    await keeper.round();
    const slow: LogStore = {
      ...log,
      async epochs() {
        const epochs = await log.epochs();
        await log.add(entriesTo(5));
        await keeper.round();
        return epochs;
      },
    };
    await beginEpoch(slow, NO_KEYS);
    await testKeeper(log).keeper.round();
    const [first] = await log.entries('2', 0, 1);
    const old = await log.head('1');
    const root = Buffer.from(old?.root ?? []).toString('base64');
    expect(first?.entry).toBe(`assay epoch v1\n${ORIGIN}\n5 ${root}\n`);
  });

  it('does not sign with a key whose rotation has ended', async () => {
    const running = testKeeper(log, { key: stolen });
    await running.keeper.round();
    const during = testKeeper(log, { key: fresh, oldKey: stolen });
    await during.keeper.round();
    await running.keeper.round();
    expect(running.keeper.state()).toBe('ok');
    await testKeeper(log, { key: fresh }).keeper.round();
    await during.keeper.round();
    expect(during.keeper.state()).toBe('ok');
    await log.add([anEntry(1)]);
    await running.keeper.round();
    expect(running.keeper.state()).toBe('other_keys');
  });

  it('does not sign when another process was the first to bring keys', async () => {
    await testKeeper(log).keeper.round();
    await beginEpoch(log, NO_KEYS);
    const [left, right] = [testKeeper(log, { key: stolen }), testKeeper(log, { key: fresh })];
    await Promise.all([left.keeper.open(), right.keeper.open()]);
    await left.keeper.round();
    await right.keeper.round();
    expect([left.keeper.state(), right.keeper.state()].toSorted()).toEqual(['ok', 'other_keys']);
  });
});

it('an epoch begins with the end of the last one that was signed, however many were begun since', async () => {
  await log.add([anEntry(1)]);
  await testKeeper(log).keeper.round();
  for (let epoch = 2; epoch <= 8; epoch += 1) {
    await beginEpoch(log, NO_KEYS);
    await testKeeper(log).keeper.round();
  }
  const signed = await log.current();
  for (let epoch = 9; epoch <= 11; epoch += 1) await beginEpoch(log, NO_KEYS);
  await testKeeper(log).keeper.round();
  const current = await log.current();
  expect(current).toMatchObject({ tree: '11', size: 3 });
  const [first] = await log.entries('11', 0, 1);
  // Nothing else has a key that a client could know.
  expect(parseEntry(first?.entry ?? '')).toMatchObject({ kind: 'epoch', origin: signed?.origin, size: 1 });
});
