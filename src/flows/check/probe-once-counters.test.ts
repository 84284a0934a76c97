import { describe, expect, it } from 'vitest';
import { MINUTE, probeWorld as world } from '../../../test/support/probing/probe-world.ts';
import { answered } from '../../../tools/samples/challenge.ts';

describe('the counters of a caller', () => {
  const use = { key: 'use', window: '2026-11-15', limit: 1 };

  it('are raised with a new probe and not with a reused one', async () => {
    const { get, counters } = world();
    expect(await get('https://a.example/x', { counters: [use] })).toMatchObject({ cached: false });
    expect(await get('https://a.example/x', { counters: [use] })).toMatchObject({ cached: true });
    expect(await counters.used([use, MINUTE])).toEqual([1, 1]);
  });

  it('refuse a new probe when one is at its limit, and then the target is not counted', async () => {
    const { get, counters, sent, held } = world();
    const other = { key: 'other', window: '2026-11-15', limit: 5 };
    await get('https://a.example/x', { counters: [use] });
    expect(await get('https://a.example/y', { counters: [other, use] })).toEqual({
      kind: 'exhausted',
      used: [0, 1],
    });
    expect(await counters.used([other, use, MINUTE])).toEqual([0, 1, 1]);
    expect([sent.length, held]).toEqual([1, []]);
  });

  it('are not raised when the minute of the target is over', async () => {
    const { get, counters } = world();
    for (let path = 0; path < 30; path += 1) await get(`https://a.example/${path}`);
    expect(await get('https://a.example/x', { counters: [use] })).toMatchObject({ kind: 'rate_limited' });
    expect(await counters.used([use, MINUTE])).toEqual([0, 30]);
  });

  it('keep nobody else from asking when they are empty', async () => {
    const { get } = world();
    const empty = { ...use, limit: 0 };
    const [mine, other] = await Promise.all([
      get('https://a.example/x', { counters: [empty] }),
      get('https://a.example/x'),
    ]);
    expect(mine).toEqual({ kind: 'exhausted', used: [0] });
    expect(other).toMatchObject({ kind: 'probe', cached: false });
  });

  it('frees the slot and refunds the caller when the prober breaks, and stores nothing', async () => {
    let broken = true;
    const { get, cache, counters, held } = world(async () => {
      if (broken) throw new Error('our own fault');
      return answered();
    });
    const [use, budget] = [
      { key: 'use', window: '2026-11-15', limit: 1 },
      { key: 'budget', window: '2026-11-15', limit: 9 },
    ];
    const options = { counters: [use, budget], refunds: [use] };
    for (let call = 0; call < 4; call += 1)
      await expect(get('https://a.example/x', options)).rejects.toThrow('our own fault');
    expect([cache.kept.size, held]).toEqual([0, []]);
    // Something may have been sent: the target's minute stays counted.
    expect(await counters.used([use, budget, MINUTE])).toEqual([0, 4, 4]);
    broken = false;
    expect(await get('https://a.example/x')).toMatchObject({ kind: 'probe', cached: false });
  });
});
