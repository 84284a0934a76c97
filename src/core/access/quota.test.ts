import { describe, expect, it } from 'vitest';
import { admit, type Reservation } from './admission.ts';
import { FREE_PER_DAY, freeUse, type Metered, paidCheckCounter } from './quota.ts';
import {
  secondsToNextUtcDay,
  secondsToNextUtcHour,
  secondsToNextUtcMinute,
  utcDay,
  utcHour,
  utcMinute,
} from './utc-window.ts';

const NOON = new Date('2026-11-15T12:00:00.000Z');
const settings = { secret: 'secret', ceilings: { lookup: 100, spot_check: 20, dry_run: 200 } };
const use = (
  metered: Metered,
  client: string | null = null,
  ref: string | null = null,
  address = '192.0.2.1',
  now = NOON,
) => freeUse({ metered, caller: { address, client }, ref, now }, settings);

describe('the free share of a day', () => {
  it.each<[Metered, number, number]>([
    ['lookup', 5, 100],
    ['spot_check', 1, 20],
    ['dry_run', 50, 200],
  ])('%s: %i for a caller, %i for an address', (metered, perCaller, perAddress) => {
    expect(FREE_PER_DAY[metered]).toBe(perCaller);
    expect(use(metered)).toMatchObject({
      caller: { window: '2026-11-15', limit: perCaller },
      address: { window: '2026-11-15', limit: perAddress },
    });
  });

  it('counts each kind on its own', () => {
    const counters = (['lookup', 'spot_check', 'dry_run'] as const).flatMap((kind) => [
      use(kind).caller,
      use(kind).address,
    ]);
    expect(new Set(counters.map(({ key, together }) => `${key} ${together}`)).size).toBe(6);
  });

  it('counts names apart but the address once', () => {
    expect(use('lookup', 'a').caller.key).not.toBe(use('lookup', 'b').caller.key);
    expect(use('lookup', 'a').address).toEqual(use('lookup', 'b').address);
  });

  it('counts one name on two addresses apart, but for a dry run', () => {
    const isShared = (kind: Metered) =>
      use(kind, 'a').caller.key === use(kind, 'a', null, '198.51.100.1').caller.key;
    expect([isShared('lookup'), isShared('spot_check'), isShared('dry_run')]).toEqual([false, false, true]);
  });

  it.each<[Metered, string | null, string | null, boolean]>([
    ['lookup', null, null, true],
    ['spot_check', null, null, true],
    ['dry_run', null, null, true],
    // A ref names nobody but a dry run.
    ['lookup', null, 'dry-run-x', true],
    ['lookup', 'a', null, false],
    ['dry_run', 'a', null, false],
    ['dry_run', null, 'dry-run-x', false],
  ])('a %s by client %s and ref %s has the key of its address: %s', (metered, client, ref, isShared) => {
    const { caller, address } = use(metered, client, ref);
    expect(caller.key === address.key).toBe(isShared);
  });

  it('counts dry runs of one ref together, wherever they come from', () => {
    expect(use('dry_run', 'a', 'dry-run-x').caller).toEqual(
      use('dry_run', 'b', 'dry-run-x', '198.51.100.1').caller,
    );
  });

  it('takes ceilings from the settings', () => {
    const ceilings = { lookup: 7, spot_check: 8, dry_run: 9 };
    const request = {
      metered: 'spot_check',
      caller: { address: '192.0.2.1', client: null },
      ref: null,
      now: NOON,
    } as const;
    expect(freeUse(request, { secret: 'secret', ceilings }).address.limit).toBe(8);
  });
});

describe('paid checks of a payer (G08)', () => {
  it('count by the UTC hour and in any letter case', () => {
    expect(paidCheckCounter('0xAB', NOON, 5)).toEqual({
      key: 'paid_check:0xab',
      window: '2026-11-15T12',
      limit: 5,
    });
  });
});

describe('how a call goes on', () => {
  it.each<[string, Metered, Reservation, object]>([
    [
      'the first free lookup',
      'lookup',
      { kind: 'granted', used: 1 },
      { kind: 'free', quota: { perDay: 5, used: 1, remaining: 4 } },
    ],
    [
      'the last free lookup',
      'lookup',
      { kind: 'granted', used: 5 },
      { kind: 'free', quota: { perDay: 5, used: 5, remaining: 0 } },
    ],
    [
      'a lookup beyond',
      'lookup',
      { kind: 'exhausted', used: 5 },
      { kind: 'payment_required', quota: { perDay: 5, used: 5, remaining: 0 } },
    ],
    [
      'a lookup when the address is used up',
      'lookup',
      { kind: 'exhausted', used: 2 },
      { kind: 'payment_required', quota: { used: 2 } },
    ],
    ['a check beyond', 'spot_check', { kind: 'exhausted', used: 1 }, { kind: 'payment_required' }],
    [
      'a counter above its limit, after the limit was lowered',
      'lookup',
      { kind: 'exhausted', used: 9 },
      { quota: { remaining: 0 } },
    ],
    [
      'a dry run',
      'dry_run',
      { kind: 'granted', used: 50 },
      { kind: 'free', quota: { perDay: 50, remaining: 0 } },
    ],
    [
      'a dry run beyond, until midnight',
      'dry_run',
      { kind: 'exhausted', used: 50 },
      { kind: 'rate_limited', retryAfterSeconds: 43_200 },
    ],
  ])('%s', (_, metered, reservation, admission) => {
    expect(admit(metered, reservation, NOON)).toMatchObject(admission);
  });
});

describe('the UTC calendar', () => {
  it('has minutes, too', () => {
    const now = new Date('2026-11-15T12:34:50.500Z');
    expect([utcMinute(now), secondsToNextUtcMinute(now)]).toEqual(['2026-11-15T12:34', 10]);
  });

  it.each<[string, string, string, number, number]>([
    ['2026-11-15T00:00:00.000Z', '2026-11-15', '2026-11-15T00', 86_400, 3_600],
    ['2026-11-15T23:59:59.999Z', '2026-11-15', '2026-11-15T23', 1, 1],
    ['2026-11-15T23:59:59.000Z', '2026-11-15', '2026-11-15T23', 1, 1],
    ['2026-12-31T12:30:00.500Z', '2026-12-31', '2026-12-31T12', 41_400, 1_800],
  ])('%s', (text, day, hour, toDay, toHour) => {
    const now = new Date(text);
    expect([utcDay(now), utcHour(now), secondsToNextUtcDay(now), secondsToNextUtcHour(now)]).toEqual([
      day,
      hour,
      toDay,
      toHour,
    ]);
  });
});
