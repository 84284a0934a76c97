import { describe, expect, it } from 'vitest';
import { countedWorld, REQUEST, useOf } from '../../../test/support/probing/counted-world.ts';
import { target } from '../../../tools/samples/listed.ts';
import type { ProbeOutcome } from '../../core/verdict/probe-outcome.ts';

const TIMED_OUT: ProbeOutcome = { kind: 'timed_out' };

describe('a counted check', () => {
  it('writes twice around a new probe, and once for a reused one', async () => {
    const { check, calls, receipts, state } = countedWorld();
    const use = useOf('me', 'dry_run');
    expect(await check(use)).toMatchObject({ kind: 'counted', used: 1 });
    expect(calls.splice(0)).toEqual(['start', 'finish']);
    expect(await check(use)).toMatchObject({ kind: 'counted', used: 2 });
    expect(calls).toEqual(['record']);
    expect([receipts.length, state.sent]).toEqual([2, 1]);
  });

  it.each([
    ['a caller without a name', null],
    ['a named caller', 'me'],
  ])('is exhausted for %s with a new probe or a reused one, and leaves no receipt', async (_, client) => {
    const { check, receipts, state, counters } = countedWorld();
    const use = useOf(client);
    await check(use);
    expect(await check(use)).toEqual({ kind: 'exhausted', used: 1 });
    const elsewhere = { ...REQUEST, target: target('https://b.example/x') };
    expect(await check(use, elsewhere)).toEqual({ kind: 'exhausted', used: 1 });
    expect([receipts.length, state.sent]).toEqual([1, 1]);
    expect(await counters.used([use.caller, use.address])).toEqual([1, 1]);
  });

  it('is free once for 100 parallel calls of one client (G06)', async () => {
    const { check, receipts, counters } = countedWorld();
    const use = useOf('me');
    const results = await Promise.all(Array.from({ length: 100 }, () => check(use)));
    expect(results.filter(({ kind }) => kind === 'counted')).toHaveLength(1);
    expect(results.filter(({ kind }) => kind === 'exhausted')).toHaveLength(99);
    expect([receipts.length, await counters.used([use.caller, use.address])]).toEqual([1, [1, 1]]);
  });

  it('gives the use of the caller back when the target cannot be heard, again and again (G06)', async () => {
    const { check, receipts, counters, calls } = countedWorld(TIMED_OUT);
    const use = useOf('me');
    for (let time = 0; time < 3; time += 1)
      expect(await check(use)).toMatchObject({ kind: 'counted', used: 0 });
    expect(calls).toEqual(['start', 'finish', 'record', 'record']);
    // The address stays counted.
    expect([receipts.length, await counters.used([use.caller, use.address])]).toEqual([3, [0, 3]]);
  });

  it('counts a dry run whose target cannot be heard (G09)', async () => {
    const { check } = countedWorld(TIMED_OUT);
    const use = useOf('me', 'dry_run');
    expect(await check(use, { ...REQUEST, mode: 'dry-run' })).toMatchObject({ used: 1 });
  });

  it('whose name leads to a blocked address counts and writes nothing, however often (G31)', async () => {
    const blocked = { kind: 'nowhere', outcome: { kind: 'blocked' } } as const;
    const { check, receipts, counters, calls, state } = countedWorld(
      undefined,
      undefined,
      async () => blocked,
    );
    const use = useOf('me', 'dry_run');
    for (let time = 0; time < 9; time += 1) expect(await check(use)).toEqual({ kind: 'blocked' });
    expect([calls, receipts, state.sent]).toEqual([[], [], 0]);
    expect(await counters.used([use.caller, use.address])).toEqual([0, 0]);
  });

  it('that a redirect leads to a blocked address leaves no receipt, gives the use back, and then is not counted', async () => {
    const { check, receipts, counters, calls } = countedWorld({ kind: 'blocked' });
    const use = useOf('me');
    expect(await check(use)).toEqual({ kind: 'blocked' });
    expect(await check(use)).toEqual({ kind: 'blocked' });
    expect(calls).toEqual(['start', 'finish']);
    expect([receipts, await counters.used([use.caller, use.address])]).toEqual([[], [0, 1]]);
  });

  it('counts nothing without a use', async () => {
    const { check, receipts } = countedWorld();
    expect(await check(null)).toMatchObject({ kind: 'counted', used: 0 });
    expect(await check(null)).toMatchObject({ kind: 'counted', used: 0 });
    expect(receipts).toHaveLength(2);
  });
});
