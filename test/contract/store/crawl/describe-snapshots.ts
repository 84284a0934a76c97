import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SnapshotStore } from '../../../../src/ports/snapshot/snapshots.ts';
import { aKeptSnapshot, everyPart } from '../../../support/storing/kept-snapshots.ts';
import type { NewPlace, Place } from '../../../support/storing/stores.ts';

/** What every store of snapshots promises. */
export function describeSnapshots(name: string, newPlace: NewPlace): void {
  describe(`snapshots on ${name}`, () => {
    let place: Place;
    let snapshots: SnapshotStore;

    beforeEach(async () => {
      place = await newPlace();
      ({ snapshots } = await place.open());
    });
    afterEach(() => place.remove());

    const publish = async (n: number) => {
      await snapshots.add(`file ${n}`, everyPart());
      return snapshots.publish(aKeptSnapshot(n), n === 1 ? null : `file ${n - 1}`);
    };
    const partsOf = async () =>
      (
        await place.ask('select sha256, count(*) as parts from snapshot_parts group by sha256 order by 1')
      ).map((row) => [row['sha256'], Number(row['parts'])]);

    it('has none at first', async () => {
      expect(await snapshots.latest()).toBeNull();
      expect(await snapshots.find('file 1')).toBeNull();
      expect(await snapshots.part('file 1', 'head')).toBeNull();
    });

    it('shows nothing of a file before it is published, then all of it', async () => {
      await snapshots.add('file 1', everyPart());
      expect(await snapshots.latest()).toBeNull();
      expect(await snapshots.part('file 1', 7)).toBeNull();
      expect(await snapshots.publish(aKeptSnapshot(1, { deltaFrom: 'x' }), null)).toBe(true);
      expect(await snapshots.latest()).toEqual(aKeptSnapshot(1, { deltaFrom: 'x' }));
      expect(await snapshots.find('file 1')).toEqual(aKeptSnapshot(1, { deltaFrom: 'x' }));
      for (const { part, bytes } of everyPart())
        expect(await snapshots.part('file 1', part)).toEqual(Buffer.from(bytes));
    });

    it('keeps the newest two, and nothing of the others', async () => {
      for (const n of [1, 2, 3]) expect(await publish(n)).toBe(true);
      expect(await snapshots.latest()).toEqual(aKeptSnapshot(3));
      expect(await snapshots.find('file 2')).toEqual(aKeptSnapshot(2));
      expect(await snapshots.find('file 1')).toBeNull();
      expect(await snapshots.part('file 1', 'head')).toBeNull();
      expect(await partsOf()).toEqual([
        ['file 2', 258],
        ['file 3', 258],
      ]);
    });

    it('takes the same parts twice, as after a crash, and keeps the first', async () => {
      await snapshots.add('file 1', everyPart());
      await snapshots.add('file 1', [{ part: 'head', bytes: Buffer.from('other') }]);
      expect(await publish(1)).toBe(true);
      expect(await snapshots.part('file 1', 'head')).toEqual(Buffer.from('head'));
    });

    it('publishes no file whose parts are not all there', async () => {
      const [, ...most] = everyPart();
      await snapshots.add('file 1', most.slice(1));
      expect(await snapshots.publish(aKeptSnapshot(1), null)).toBe(false);
      expect(await snapshots.replaceAll(aKeptSnapshot(1))).toBe(false);
      expect(await snapshots.latest()).toBeNull();
    });

    it('takes the one that was published last for the latest, whatever a wrong clock has dated before', async () => {
      await publish(1);
      for (const [n, after] of [
        [9, 'file 1'],
        [2, 'file 9'],
      ] as const) {
        await snapshots.add(`file ${n}`, everyPart());
        expect(await snapshots.publish(aKeptSnapshot(n), after)).toBe(true);
      }
      expect(await snapshots.latest()).toEqual(aKeptSnapshot(2));
      expect(await partsOf()).toEqual([
        ['file 2', 258],
        ['file 9', 258],
      ]);
    });

    it('publishes nothing that was begun before the latest one', async () => {
      await publish(1);
      await snapshots.add('file 2', everyPart());
      await snapshots.add('file 9', everyPart());
      expect(await snapshots.publish(aKeptSnapshot(2), 'file 1')).toBe(true);
      await snapshots.add('file 9', everyPart());
      expect(await snapshots.publish(aKeptSnapshot(9), 'file 1')).toBe(false);
      expect(await snapshots.publish(aKeptSnapshot(9), null)).toBe(false);
      expect(await snapshots.latest()).toEqual(aKeptSnapshot(2));
    });

    it('lets one of several publish at the same time', async () => {
      const stores = [
        snapshots,
        ...(await Promise.all([place.open(), place.open()])).map((s) => s.snapshots),
      ];
      for (const n of [2, 3, 4]) await snapshots.add(`file ${n}`, everyPart());
      const done = await Promise.all(
        stores.map((store, index) => store.publish(aKeptSnapshot(index + 2), null)),
      );
      expect(done.filter((isDone) => isDone)).toHaveLength(1);
      expect(await place.ask('select sha256 from snapshots')).toHaveLength(1);
    });

    it('removes every other file, and every delta, when one replaces them all', async () => {
      for (const n of [1, 2]) await publish(n);
      await snapshots.add('file 3', everyPart());
      const only = aKeptSnapshot(3, { deltaFrom: null });
      expect(await snapshots.replaceAll(only)).toBe(true);
      expect(await snapshots.latest()).toEqual(only);
      expect(await snapshots.find('file 2')).toBeNull();
      expect(await snapshots.part('file 3', 'delta')).toBeNull();
      expect(await partsOf()).toEqual([['file 3', 257]]);
    });

    it('replaces all by the latest itself', async () => {
      for (const n of [1, 2]) await publish(n);
      expect(await snapshots.replaceAll(aKeptSnapshot(2, { deltaFrom: null }))).toBe(true);
      expect(await snapshots.latest()).toEqual(aKeptSnapshot(2, { deltaFrom: null }));
      expect(await partsOf()).toEqual([['file 2', 257]]);
    });
  });
}
