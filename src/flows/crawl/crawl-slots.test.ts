import { describe, expect, it } from 'vitest';
import { target } from '../../../tools/samples/listed.ts';
import type { SlotHolder } from '../../ports/target-slots.ts';
import { crawlSlots } from './crawl-slots.ts';

const A = target('https://a.example/x');

/** A store that has so many free slots, on a clock that moves when somebody waits. */
function world(free = 3) {
  const state = {
    ms: 0,
    free,
    holdMs: 0,
    mayBegin: true,
    held: [] as [string, number, number][],
    freed: [] as SlotHolder[],
    onHold: async () => {},
  };
  const lease = { leaseMs: 20_000, leastLeaseMs: 12_000, mayBegin: async () => state.mayBegin };
  const slots = crawlSlots('me', lease, {
    slots: {
      async hold({ targetKey }, { most: limit }, leaseMs) {
        state.held.push([targetKey, limit, leaseMs]);
        state.ms += state.holdMs;
        await state.onHold();
        return Math.min(limit, state.free);
      },
      free: async (holder) => void state.freed.push(holder),
      prune: async () => 0,
    },
    keyOf: (text) => `key of ${text}`,
    stopwatch: () => state.ms,
    async wait(ms) {
      await new Promise((done) => setImmediate(done));
      state.ms += ms;
    },
  });
  const settle = () => new Promise((done) => setTimeout(done, 5));
  /** So many that want to begin; those that have begun can leave. */
  const inside: (() => void)[] = [];
  const counts = { refused: 0 };
  const enter = async (count: number, at = A) => {
    for (let n = 0; n < count; n += 1) {
      void slots.enter(at).then((leave) => {
        if (leave === null) counts.refused += 1;
        else inside.push(leave);
      });
    }
    await settle();
    return inside.length;
  };
  return { state, slots, inside, counts, enter, settle };
}

describe('slots of the crawl at a target (G76)', () => {
  it('are two at a time, asked for once', async () => {
    const { enter, inside, state } = world();
    expect(await enter(3)).toBe(2);
    inside.shift()?.();
    expect(await enter(0)).toBe(2);
    expect(state.held).toEqual([['key of a.example:443', 2, 20_000]]);
  });

  it('are counted for each host and port', async () => {
    const { enter, slots, state } = world();
    await enter(2);
    expect(await enter(2, target('https://a.example:8443/x'))).toBe(4);
    await slots.freeAll();
    expect(state.freed).toEqual([
      { targetKey: 'key of a.example:443', holder: 'me' },
      { targetKey: 'key of a.example:8443', holder: 'me' },
    ]);
  });

  it('are what callers leave, and more when they are gone, asked for every half second', async () => {
    const { enter, inside, state } = world(1);
    expect([await enter(2), state.held.length]).toEqual([1, 1]);
    state.free = 3;
    inside.shift()?.();
    // Too early to ask again: the second one has the slot of the first.
    expect([await enter(0), state.held.length]).toEqual([1, 1]);
    state.ms += 500;
    expect([await enter(1), state.held.length]).toEqual([2, 2]);
  });

  it('are waited for while callers have all, without asking more often than every half second', async () => {
    const { enter, state } = world(0);
    state.onHold = async () => {
      if (state.ms >= 3_000) state.free = 1;
    };
    await enter(2);
    await expect.poll(() => enter(0)).toBe(1);
    expect(state.ms).toBeGreaterThanOrEqual(3_000);
    expect(state.held.length).toBeLessThanOrEqual(1 + state.ms / 500);
  });

  it('are used only under a lease that is long enough', async () => {
    const { enter, inside, state } = world();
    await enter(1);
    inside.shift()?.();
    state.ms = 7_999;
    expect([await enter(1), state.held.length]).toEqual([1, 1]);
    inside.shift()?.();
    state.ms = 8_000;
    expect([await enter(1), state.held.length]).toEqual([1, 2]);
  });

  it('count their lease from before the store was asked, and are not used when that took too long', async () => {
    const { enter, state } = world();
    state.holdMs = 8_000;
    state.onHold = async () => {
      if (state.held.length === 3) state.holdMs = 0;
    };
    expect([await enter(1), state.held.length]).toEqual([1, 4]);
  });

  it('are not used when the host is lost while the store is asked', async () => {
    const { enter, state, counts } = world();
    state.onHold = async () => {
      state.mayBegin = false;
    };
    expect([await enter(2), counts.refused]).toEqual([0, 2]);
  });

  it('let nobody wait once it is over', async () => {
    const { enter, inside, state, counts, settle } = world();
    await enter(3);
    state.mayBegin = false;
    inside.shift()?.();
    await settle();
    expect(counts.refused).toBe(1);
  });

  it('fail for everybody who waits when the store fails', async () => {
    const { slots, state } = world();
    state.onHold = async () => {
      throw new Error('the disk is full');
    };
    const entering = await Promise.allSettled([slots.enter(A), slots.enter(A)]);
    expect(entering.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
