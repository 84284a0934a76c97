import { describe, expect, it } from 'vitest';
import { anEntry, entriesTo, testKeeper } from '../../../../test/support/log/test-log.ts';
import {
  cosignedSize,
  START_MS,
  witnessedProcess,
  worldWithWitnesses,
} from '../../../../test/support/log/witnessed-process.ts';
import { newSqlitePlace } from '../../../../test/support/storing/stores.ts';

const world = worldWithWitnesses();

describe('a store that was set back', () => {
  /** The same log up to `count` entries and, beyond, another one. */
  async function restored(count: number, other = 0) {
    const older = await newSqlitePlace();
    const store = (await older.open()).transparencyLog;
    const { keeper } = testKeeper(store);
    await store.add(entriesTo(count));
    await keeper.round();
    await store.add(entriesTo(other, 10_000));
    await keeper.round();
    return { older, store };
  }

  it.each([
    ['to an older size', 3, 0],
    ['to nothing', 0, 0],
    ['and has grown past what was cosigned', 3, 5],
    ['and has grown to the same size', 3, 2],
  ])(
    '%s gets nothing from the witnesses, and the process neither sequences nor promises',
    async (_, count, other) => {
      const { keeper: before } = witnessedProcess(world());
      await world().log.add(entriesTo(5));
      await before.round();
      world().clock.ms += 5_000;
      await before.round();
      expect(await cosignedSize(world())).toBe(5);
      const { older, store } = await restored(count, other);
      try {
        const { keeper } = witnessedProcess(world(), { store });
        await store.add(entriesTo(9, 500));
        await keeper.round();
        expect(keeper.state()).toBe('behind');
        expect((await store.backlog()).entries).toBe(9);
        expect(keeper.promise(anEntry(1).id, new Uint8Array(32), new Date(START_MS))).toBeNull();
        expect((await store.current())?.cosigned).toBeNull();
      } finally {
        await older.remove();
      }
    },
  );

  it('is noticed also when what it has was cosigned a moment ago', async () => {
    const older = await newSqlitePlace();
    try {
      const store = (await older.open()).transparencyLog;
      for (const one of [store, world().log]) {
        await one.add(entriesTo(3));
        await testKeeper(one).keeper.round();
        const { keeper } = witnessedProcess(world(), { store: one });
        await keeper.open();
        await one.add(one === store ? [] : entriesTo(2, 3));
        world().clock.ms += 5_000;
        await keeper.round();
      }
      expect(await cosignedSize(world())).toBe(5);
      expect((await store.current())?.cosigned?.size).toBe(3);
      const { keeper } = witnessedProcess(world(), { store });
      await keeper.open();
      expect(keeper.state()).toBe('behind');
    } finally {
      await older.remove();
    }
  });

  it('goes unnoticed only while all witnesses are away, and stops when one is back', async () => {
    const { keeper: before } = witnessedProcess(world());
    await world().log.add(entriesTo(5));
    await before.round();
    world().clock.ms += 5_000;
    await before.round();
    const { older, store } = await restored(3);
    try {
      await Promise.all([world().first.stop(), world().second.stop()]);
      const { keeper } = witnessedProcess(world(), { store });
      await keeper.round();
      expect(keeper.state()).toBe('ok');
      await world().second.start();
      world().clock.ms += 5_000;
      await keeper.round();
      expect(keeper.state()).toBe('behind');
    } finally {
      await older.remove();
    }
  });
});
