import { describe, expect, it } from 'vitest';
import { memoizeFor } from './memoize-for.ts';

/** Counts its calls, by a clock that the test moves. */
function counted(answer: (call: number) => Promise<number> = async (call) => call) {
  const state = { calls: 0, ms: 0 };
  const ask = () => {
    state.calls += 1;
    return answer(state.calls);
  };
  return { state, memo: memoizeFor(ask, 1_000, () => state.ms) };
}

describe('a value that is memoized for a while', () => {
  it('is asked for once by concurrent callers', async () => {
    const { memo } = counted();
    expect(await Promise.all([memo(), memo()])).toEqual([1, 1]);
  });

  it('is asked for again when its time is over, and not before', async () => {
    const { state, memo } = counted();
    await memo();
    state.ms = 999;
    expect(await memo()).toBe(1);
    state.ms = 1_000;
    expect(await memo()).toBe(2);
  });

  it('is asked for again when the clock was set back by as much (L76)', async () => {
    const { state, memo } = counted();
    state.ms = 3_600_000;
    await memo();
    state.ms = 3_599_001;
    expect(await memo()).toBe(1);
    state.ms = 3_599_000;
    expect(await memo()).toBe(2);
  });

  it('is asked for again after a failure', async () => {
    const { memo } = counted(async (call) => {
      if (call === 1) throw new Error('down');
      return call;
    });
    await expect(memo()).rejects.toThrow('down');
    expect(await memo()).toBe(2);
  });

  it('keeps the newer answer when an older call fails late', async () => {
    let fail = () => {};
    const { state, memo } = counted((call) =>
      call === 1
        ? new Promise((_, reject) => {
            fail = () => reject(new Error('late'));
          })
        : Promise.resolve(call),
    );
    const first = memo();
    state.ms = 1_000;
    expect(await memo()).toBe(2);
    fail();
    await expect(first).rejects.toThrow('late');
    expect(await memo()).toBe(2);
  });
});
