import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  anEntry,
  entriesTo,
  FIRST,
  memoryMark,
  ORIGIN,
  testKeeper,
} from '../../../test/support/log/test-log.ts';
import { newSqlitePlace, type Place } from '../../../test/support/storing/stores.ts';
import { parseCheckpoint } from '../../core/log/checkpoint.ts';
import { noteKeyText, noteText, openNote } from '../../core/log/note.ts';
import type { LogStore } from '../../ports/log/transparency-log.ts';
import { growLog } from './grow-log.ts';

let place: Place;
let log: LogStore;

beforeEach(async () => {
  place = await newSqlitePlace();
  log = (await place.open()).transparencyLog;
});
afterEach(() => place.remove());

const sizeOf = (note: string | null) => parseCheckpoint(noteText(note ?? '') ?? '')?.size;

describe('the keeper of a log', () => {
  it('places everything that waits, more than one batch of it, and publishes it', async () => {
    const { keeper } = testKeeper(log);
    await log.add(entriesTo(1_100));
    await keeper.round();
    expect(keeper.state()).toBe('ok');
    expect(await log.current()).toMatchObject({ size: 1_100, published: { size: 1_100 } });
  });

  it('keeps a mark of what was given out, and at the end the last one', async () => {
    const { keeper, mark, clock } = testKeeper(log);
    await log.add([anEntry(1)]);
    await keeper.round();
    expect(sizeOf(await mark.read())).toBe(1);
    await log.add([anEntry(2)]);
    await keeper.round();
    expect(sizeOf(await mark.read())).toBe(1);
    clock.ms += 10_000;
    await log.add([anEntry(3)]);
    await keeper.round();
    expect(sizeOf(await mark.read())).toBe(3);
    await log.add([anEntry(4)]);
    await keeper.round();
    await keeper.stop();
    expect(sizeOf(await mark.read())).toBe(4);
  });

  it('marks the last checkpoint of a log that then rests', async () => {
    const { keeper, mark, clock } = testKeeper(log);
    await log.add([anEntry(1)]);
    await keeper.round();
    await log.add([anEntry(2)]);
    await keeper.round();
    clock.ms += 10_000;
    await keeper.round();
    expect(sizeOf(await mark.read())).toBe(2);
  });

  it('tries again to write a mark that could not be written', async () => {
    const disk = { isFull: true };
    const kept = memoryMark();
    const mark = {
      read: kept.read,
      async keep(note: string) {
        if (disk.isFull) throw new Error('no space left');
        await kept.keep(note);
      },
    };
    const { keeper, clock } = testKeeper(log, { mark });
    await log.add([anEntry(1)]);
    await expect(keeper.round()).rejects.toThrow('no space left');
    disk.isFull = false;
    clock.ms += 10_000;
    await keeper.round();
    expect(sizeOf(await mark.read())).toBe(1);
  });

  it('publishes a checkpoint only once the store has answered that it is kept', async () => {
    const shown: (number | undefined)[] = [];
    const { keeper } = testKeeper({
      ...log,
      async append(limit, grow) {
        const appended = await log.append(limit, grow);
        shown.push((await log.current())?.published?.size);
        return appended;
      },
    });
    await log.add([anEntry(1)]);
    await keeper.round();
    expect(shown).toEqual([undefined]);
    expect((await log.current())?.published?.size).toBe(1);
  });

  it('publishes what a process has appended that ended before it could', async () => {
    const { keeper } = testKeeper(log);
    await keeper.round();
    await log.add([anEntry(1)]);
    const { signersOf } = testKeeper(log);
    await log.append(9, (waiting) => growLog(waiting, signersOf(waiting.head)));
    await keeper.round();
    expect((await log.current())?.published?.size).toBe(1);
  });

  it('does not continue a log that is smaller than what was given out, and promises nothing', async () => {
    const before = testKeeper(log);
    await log.add(entriesTo(5));
    await before.keeper.round();
    const restored = await newSqlitePlace();
    try {
      const older = (await restored.open()).transparencyLog;
      const first = testKeeper(older);
      await older.add(entriesTo(3));
      await first.keeper.round();
      const { keeper } = testKeeper(older, { mark: before.mark });
      await older.add(entriesTo(5));
      await keeper.round();
      expect(keeper.state()).toBe('behind');
      expect(keeper.promise(anEntry(1).id, new Uint8Array(32), new Date(0))).toBeNull();
      expect((await older.current())?.size).toBe(3);
    } finally {
      await restored.remove();
    }
  });

  it('does not continue a log of the same size with another history', async () => {
    const before = testKeeper(log);
    await log.add(entriesTo(5));
    await before.keeper.round();
    const restored = await newSqlitePlace();
    try {
      const other = (await restored.open()).transparencyLog;
      await other.add(entriesTo(9, 100));
      await testKeeper(other).keeper.round();
      const { keeper } = testKeeper(other, { mark: before.mark });
      await keeper.round();
      expect(keeper.state()).toBe('behind');
    } finally {
      await restored.remove();
    }
  });

  it('notices a database that is set back while it runs', async () => {
    const restored = await newSqlitePlace();
    try {
      const older = (await restored.open()).transparencyLog;
      await older.add(entriesTo(3));
      await testKeeper(older).keeper.round();
      await older.add([anEntry(9)]);
      const stores = { now: log };
      const { keeper } = testKeeper({
        ...log,
        current: () => stores.now.current(),
        append: (limit, grow) => stores.now.append(limit, grow),
      });
      await log.add(entriesTo(5));
      await keeper.round();
      stores.now = older;
      await keeper.round();
      expect(keeper.state()).toBe('behind');
      expect((await older.current())?.size).toBe(3);
    } finally {
      await restored.remove();
    }
  });

  it('takes no mark for its own that another key has signed', async () => {
    const before = testKeeper(log, { secret: 'another secret' });
    await log.add(entriesTo(5));
    await before.keeper.round();
    const restored = await newSqlitePlace();
    try {
      const other = (await restored.open()).transparencyLog;
      const { keeper } = testKeeper(other, { mark: before.mark });
      await keeper.round();
      expect(keeper.state()).toBe('ok');
    } finally {
      await restored.remove();
    }
  });

  it('does not sign a log of another key or another name', async () => {
    await log.add([anEntry(1)]);
    await testKeeper(log).keeper.round();
    await log.add([anEntry(2)]);
    const stranger = testKeeper(log, { secret: 'another secret' });
    await stranger.keeper.round();
    expect(stranger.keeper.state()).toBe('other_keys');
    const renamed = testKeeper(log, { origin: 'other.example/log', isOriginSet: true });
    await renamed.keeper.round();
    expect(renamed.keeper.state()).toBe('other_origin');
    expect((await log.current())?.size).toBe(1);
    // A name that was only derived gives way to the one that the log has.
    const moved = testKeeper(log, { origin: 'other.example/log' });
    await moved.keeper.round();
    expect(await log.current()).toMatchObject({ origin: ORIGIN, size: 2 });
  });

  it('rotates its key: both sign, then only the new one, and the log says so', async () => {
    const [oldKey, newKey] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
    await testKeeper(log, { key: oldKey }).keeper.round();
    const during = testKeeper(log, { key: newKey, oldKey });
    await during.keeper.round();
    const [added, former] = during.signersOf(FIRST).map(({ key }) => key);
    if (added === undefined || former === undefined) throw new Error('two keys sign');
    const both = (await log.current())?.checkpoint ?? '';
    for (const key of [added, former]) expect(openNote(both, [key])).toMatchObject({ signedBy: [{ key }] });
    await testKeeper(log, { key: oldKey }).keeper.round();
    const after = testKeeper(log, { key: newKey });
    await after.keeper.round();
    expect(after.keeper.state()).toBe('ok');
    expect(openNote((await log.current())?.checkpoint ?? '', [former])).toBe('unsigned');
    const entries = await log.entries('1', 0, 9);
    expect(entries.map(({ entry }) => entry)).toEqual([
      `assay key v1\nadd\n${noteKeyText(added)}\n`,
      `assay key v1\nend\n${noteKeyText(former)}\n`,
    ]);
  });

  it('promises with a key that signs nothing else', async () => {
    const { keeper, promiseSignerOf } = testKeeper(log);
    expect(keeper.promise('sc-1', new Uint8Array(32), new Date(0))).toBeNull();
    await keeper.open();
    const note = keeper.promise('sc-0000000000000001', new Uint8Array(32), new Date(0)) ?? '';
    expect(promiseSignerOf(FIRST).key.name).toBe('log.example/promises');
    expect(openNote(note, [promiseSignerOf(FIRST).key])).toMatchObject({
      text: `assay promise v1\n${ORIGIN}\nsc-0000000000000001\n${'A'.repeat(43)}=\n1970-01-01T01:00:00Z\n`,
    });
  });
});
