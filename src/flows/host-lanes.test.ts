import { describe, expect, it } from 'vitest';
import { hostLanes } from './host-lanes.ts';

/** The lanes of a host, and a store that remembers what it was told. */
function world(live = 0) {
  const state = { live, goesOn: true, told: [] as number[], onTold: async (_lanes: number) => {} };
  const lanes = hostLanes({
    say: async (count) => {
      state.told.push(count);
      await state.onTold(count);
    },
    live: async () => state.live,
    goesOn: () => state.goesOn,
  });
  const settle = async () => {
    for (let turn = 0; turn < 20; turn += 1) await null;
  };
  /** So many lanes that want to begin; answers how many have begun by now. */
  const begun = { count: 0, refused: 0 };
  const want = async (count: number) => {
    for (let n = 0; n < count; n += 1) {
      void lanes.enter().then((isIn) => {
        if (isIn) begun.count += 1;
        else begun.refused += 1;
      });
    }
    await settle();
    return begun.count;
  };
  return { state, lanes, want, begun, settle };
}

describe('the lanes of a host that the crawl holds (G76)', () => {
  it('are three, and the store need not be told', async () => {
    const { want, lanes, state } = world();
    expect(await want(4)).toBe(3);
    await lanes.exit();
    expect(await want(0)).toBe(4);
    expect(state.told).toEqual([]);
  });

  it.each([
    [1, 2],
    [2, 1],
    [3, 0],
  ])('begin beside %i callers with %i, and the store is told first', async (live, left) => {
    const { want, lanes, state } = world(live);
    state.onTold = async () => expect(await want(3)).toBeLessThanOrEqual(left);
    await lanes.leave(live);
    expect([await want(3), state.told]).toEqual([left, [left]]);
  });

  it('are one less when callers want one, and the store is told only when it is idle', async () => {
    const { want, lanes, state } = world();
    await want(3);
    await lanes.tend(true);
    expect(state.told).toEqual([]);
    await lanes.exit();
    expect([await want(1), state.told]).toEqual([3, [2]]);
    await lanes.tend(true);
    expect(state.told).toEqual([2]);
  });

  it('are told at once when one is idle anyway', async () => {
    const { want, lanes, state } = world();
    await want(2);
    await lanes.tend(true);
    expect(state.told).toEqual([2]);
  });

  it('are three again when nobody wants one and nobody is there', async () => {
    const { want, lanes, state } = world();
    await lanes.tend(true);
    state.live = 1;
    await lanes.tend(false);
    expect([await want(3), state.told]).toEqual([2, [2]]);
    state.live = 0;
    await lanes.tend(false);
    expect([await want(0), state.told]).toEqual([3, [2, 3]]);
  });

  it('do not begin when a caller came in just before the store was told', async () => {
    const { want, lanes, state } = world();
    await lanes.tend(true);
    state.onTold = async (count) => {
      if (count === 3) state.live = 1;
    };
    await lanes.tend(false);
    expect([await want(3), state.told]).toEqual([2, [2, 3, 2]]);
  });

  it('come back one by one while callers hold the others', async () => {
    const { want, lanes, state } = world(3);
    await lanes.leave(3);
    expect(await want(3)).toBe(0);
    for (const live of [3, 2, 1, 0]) {
      state.live = live;
      await lanes.tend(false);
      expect(await want(0)).toBe(3 - live);
    }
    expect(state.told).toEqual([0, 1, 2, 3]);
  });

  it('come back up to two while callers want one', async () => {
    const { want, lanes, state } = world(3);
    await lanes.leave(3);
    state.live = 0;
    await lanes.tend(true);
    expect([await want(3), state.told]).toEqual([2, [0, 2]]);
  });

  it('tell the store in the order in which it was decided, however slow it is', async () => {
    const { want, lanes, state, settle } = world();
    const waiting: (() => void)[] = [];
    state.onTold = () => new Promise((resolve) => waiting.push(resolve));
    await want(3);
    void lanes.tend(true);
    void lanes.exit();
    await settle();
    // Nobody wants it any more, before the store has heard that somebody did.
    void lanes.tend(false);
    expect([await want(1), state.told]).toEqual([3, [2]]);
    waiting.shift()?.();
    expect([await want(0), state.told]).toEqual([3, [2, 3]]);
    waiting.shift()?.();
    expect(await want(0)).toBe(4);
  });

  it('let nobody begin and nobody wait once it is over', async () => {
    const { want, lanes, state, begun, settle } = world();
    await want(5);
    state.goesOn = false;
    lanes.wake();
    await settle();
    expect(begun).toEqual({ count: 3, refused: 2 });
    await want(1);
    expect(begun).toEqual({ count: 3, refused: 3 });
  });
});
