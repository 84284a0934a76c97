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

describe('the share of one caller in the minute of a target (G101)', () => {
  const dry = (by: string) => ({ asker: { by, mayUseReserve: false } });
  const live = (by: string) => ({ asker: { by, mayUseReserve: true } });
  const urls = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => `https://a.example/${from + index}`);

  it('is a third: 30 dry runs of one caller leave the target to the others', async () => {
    const { get, sent } = world();
    for (const url of urls(0, 30)) await get(url, dry('one'));
    expect(sent).toHaveLength(10);
    expect(await get('https://a.example/one', dry('one'))).toEqual({
      kind: 'share_used',
      retryAfterSeconds: 50,
    });
    expect(await get('https://a.example/two', dry('two'))).toMatchObject({ kind: 'probe' });
    expect(await get('https://b.example/one', dry('one'))).toMatchObject({ kind: 'probe' });
  });

  it('holds for live checks, too, and the operator has none', async () => {
    const { get, sent } = world();
    for (const url of urls(0, 30)) await get(url, live('one'));
    expect(sent).toHaveLength(10);
    for (const url of urls(30, 30)) await get(url);
    expect(sent).toHaveLength(30);
  });

  it('dry runs of any number of callers leave a third to live checks', async () => {
    const { get, sent } = world();
    for (const [index, url] of urls(0, 60).entries()) await get(url, dry(`caller-${index}`));
    expect(sent).toHaveLength(20);
    for (const [index, url] of urls(60, 60).entries()) await get(url, live(`caller-${index}`));
    expect(sent).toHaveLength(30);
    expect(await get('https://a.example/more', live('other'))).toEqual({
      kind: 'rate_limited',
      retryAfterSeconds: 50,
    });
  });

  it('a caller without a share left takes nobody along who waits for the same URL', async () => {
    const { get } = world();
    for (const url of urls(0, 10)) await get(url, dry('one'));
    const [one, two] = await Promise.all([
      get('https://a.example/x', dry('one')),
      get('https://a.example/x', dry('two')),
    ]);
    expect([one.kind, two.kind]).toEqual(['share_used', 'probe']);
  });

  it.each([
    [1, 1],
    [2, 1],
    [3, 1],
    [4, 1],
    [6, 2],
  ])('of %i a minute it is %i', async (perMinute, share) => {
    const { get, sent } = world(undefined, perMinute);
    for (const url of urls(0, 10)) await get(url, dry('one'));
    expect(sent).toHaveLength(share);
  });
});
