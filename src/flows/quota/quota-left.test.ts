import { describe, expect, it } from 'vitest';
import { memoryCounters } from '../../../test/support/storing/memory-stores.ts';
import type { Caller } from '../../core/access/caller-key.ts';
import type { Metered } from '../../core/access/quota.ts';
import { quotaLeft } from './quota-left.ts';
import { reserveUse } from './reserve-use.ts';

const caller = { address: '192.0.2.1', client: null };
const CEILINGS = { lookup: 100, spot_check: 20, dry_run: 200 };
const NOON = new Date('2026-11-15T12:00:00.000Z');

function world(ceilings = CEILINGS) {
  const clock = { now: NOON };
  const ports = { counters: memoryCounters(), secret: 's', ceilings, clock: { now: () => clock.now } };
  return {
    clock,
    left: (metered: Metered, who: Caller) => quotaLeft(metered, who, ports),
    use: (metered: 'spot_check' | 'dry_run', client: string | null = null) =>
      reserveUse({ metered, caller: { ...caller, client }, ref: null }, ports),
  };
}

describe('what is left of a day', () => {
  it('is all of it before anything is used, and looking uses nothing', async () => {
    const { left } = world();
    expect(await left('spot_check', caller)).toEqual({ perDay: 1, used: 0, remaining: 1 });
    expect(await left('spot_check', caller)).toEqual({ perDay: 1, used: 0, remaining: 1 });
    expect(await left('dry_run', caller)).toEqual({ perDay: 50, used: 0, remaining: 50 });
  });

  it('is less after a use of the same kind', async () => {
    const { left, use } = world();
    await use('spot_check');
    await use('dry_run');
    expect(await left('spot_check', caller)).toEqual({ perDay: 1, used: 1, remaining: 0 });
    expect(await left('dry_run', caller)).toEqual({ perDay: 50, used: 1, remaining: 49 });
  });

  it('is nothing when others behind the address have had it all (G02)', async () => {
    const { left, use } = world({ ...CEILINGS, spot_check: 2 });
    await use('spot_check', 'one');
    await use('spot_check', 'two');
    expect(await left('spot_check', caller)).toEqual({ perDay: 1, used: 0, remaining: 0 });
  });

  it('is new at midnight', async () => {
    const { left, use, clock } = world();
    await use('spot_check');
    clock.now = new Date('2026-11-16T00:00:00.000Z');
    expect(await left('spot_check', caller)).toEqual({ perDay: 1, used: 0, remaining: 1 });
  });
});
