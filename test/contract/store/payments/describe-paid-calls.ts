import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EndpointCheck } from '../../../../src/core/catalog/endpoint-check.ts';
import { microUsd } from '../../../../src/core/money/micro-usd.ts';
import type { BegunCall, PaidCallStore, SpendingCaps } from '../../../../src/ports/paid-calls.ts';
import { aCall } from '../../../../tools/samples/catalog.ts';
import { afterNoon, NOON } from '../../../../tools/samples/store-receipts.ts';
import type { NewPlace, Place } from '../../../support/storing/stores.ts';

const begun = (id: string, changes: Partial<BegunCall> = {}): BegunCall => ({
  id,
  serviceId: 'weather',
  calledAt: NOON,
  amount: microUsd(10_000n),
  payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  ...changes,
});
const caps = (perDay: bigint, total: bigint): SpendingCaps => ({
  perDay: microUsd(perDay),
  total: microUsd(total),
});
const WIDE = caps(1_000_000_000n, 1_000_000_000n);
const NOTHING_BACK = { bodySha256: null, body: null };
const SAFE = BigInt(Number.MAX_SAFE_INTEGER);

const check = (changes: Partial<EndpointCheck> = {}): EndpointCheck => ({
  checkedAt: NOON,
  reachable: true,
  x402Challenge: true,
  quotedPrice: microUsd(10_000n),
  priceMatchesListing: true,
  ...changes,
});

/** What every store of paid calls promises. */
export function describePaidCalls(name: string, newPlace: NewPlace): void {
  describe(`paid calls on ${name}`, () => {
    let place: Place;
    let calls: PaidCallStore;

    beforeEach(async () => {
      place = await newPlace();
      ({ paidCalls: calls } = await place.open());
    });
    afterEach(() => place.remove());

    /** A call from its beginning to its end. */
    async function made(id: string, at: Date, serviceId = 'weather'): Promise<void> {
      expect(await calls.begin(begun(id, { serviceId, calledAt: at }), WIDE)).toBe('begun');
      await calls.finish(id, aCall({ calledAt: at, tx: id }), NOTHING_BACK);
    }

    it('gives back exactly what was finished, and nothing before', async () => {
      const bare = aCall({
        tx: null,
        charged: null,
        payTo: null,
        delivered: false,
        ourFault: true,
        quality: 'not_graded',
        qualityReason: "O'Neil \u{1f600} \u0000",
        httpStatus: null,
        latencyMs: null,
      });
      for (const id of ['a', 'b']) await calls.begin(begun(id), WIDE);
      expect(await calls.callsOf(['weather'], 9)).toEqual(new Map());
      await calls.finish('a', bare, { bodySha256: 'ab', body: '\u0000 \ud800' });
      expect(await calls.callsOf(['weather', 'other', 'weather'], 9)).toEqual(new Map([['weather', [bare]]]));
    });

    it('lists the last calls of each service by itself, newest first', async () => {
      for (const n of [3, 1, 4, 2]) await made(`w${n}`, afterNoon(n));
      await made('w5', afterNoon(3));
      await made('m1', afterNoon(9), 'maps');
      for (const n of [1, 2, 3]) await made(`n${n}`, afterNoon(n), 'news');
      const ids = [...(await calls.callsOf(['weather', 'maps', 'none'], 3))].map(([service, list]) => [
        service,
        list.map(({ tx }) => tx),
      ]);
      expect(ids.sort()).toEqual([
        ['maps', ['m1']],
        ['weather', ['w4', 'w5', 'w3']],
      ]);
      expect(await calls.callsOf([], 3)).toEqual(new Map());
    });

    it('answers for more services than a statement has room for', async () => {
      const services = Array.from({ length: 1_200 }, (_, n) => `service-${n}`);
      for (const n of [0, 599, 1_199]) await made(`call-${n}`, NOON, `service-${n}`);
      for (const n of [0, 599, 1_199]) await calls.keepCheck(`service-${n}`, check());
      expect((await calls.callsOf(services, 1)).size).toBe(3);
      expect((await calls.checksOf(services)).size).toBe(3);
    });

    it.each<[string, SpendingCaps, bigint, 'begun' | 'day_cap' | 'total_cap']>([
      ['there is room', caps(30_000n, 30_000n), 10_000n, 'begun'],
      ['it fits exactly', caps(20_000n, 20_000n), 10_000n, 'begun'],
      ['the day has a millionth too little', caps(19_999n, 99_999n), 10_000n, 'day_cap'],
      ['the total has a millionth too little', caps(99_999n, 19_999n), 10_000n, 'total_cap'],
      ['both have too little', caps(19_999n, 19_999n), 10_000n, 'day_cap'],
      ['it costs nothing and nothing is left', caps(10_000n, 10_000n), 0n, 'begun'],
      ['the caps were lowered below what is spent', caps(1n, 1n), 0n, 'day_cap'],
    ])('when %s', async (_, limits, amount, expected) => {
      await calls.begin(begun('a'), WIDE);
      expect(await calls.begin(begun('b', { amount: microUsd(amount) }), limits)).toBe(expected);
      const spent = expected === 'begun' ? 10_000n + amount : 10_000n;
      expect(await calls.spent(NOON)).toEqual({ day: spent, total: spent });
      expect(await calls.unfinished(afterNoon(1), 9)).toHaveLength(expected === 'begun' ? 2 : 1);
    });

    it.each<[string, SpendingCaps, 'day_cap' | 'total_cap']>([
      ['day', caps(9_999n, 99_999n), 'day_cap'],
      ['total', caps(99_999n, 9_999n), 'total_cap'],
    ])('begins no first call above the cap of the %s', async (_, limits, expected) => {
      expect(await calls.begin(begun('a'), limits)).toBe(expected);
      expect(await calls.spent(NOON)).toEqual({ day: 0n, total: 0n });
    });

    it('counts by the UTC day in which a call began, and over all days', async () => {
      const lateEvening = new Date('2026-11-15T23:59:59.999Z');
      const midnight = new Date('2026-11-16T00:00:00.000Z');
      const oneADay = caps(10_000n, 20_000n);
      expect(await calls.begin(begun('a', { calledAt: lateEvening }), oneADay)).toBe('begun');
      expect(await calls.begin(begun('b', { calledAt: lateEvening }), oneADay)).toBe('day_cap');
      expect(await calls.begin(begun('c', { calledAt: midnight }), oneADay)).toBe('begun');
      await calls.finish('a', aCall({ calledAt: midnight, charged: microUsd(4_000n) }), NOTHING_BACK);
      expect(await calls.spent(lateEvening)).toEqual({ day: 4_000n, total: 14_000n });
      expect(await calls.spent(midnight)).toEqual({ day: 10_000n, total: 14_000n });
      expect(await calls.spent(new Date('2026-11-17T12:00:00.000Z'))).toEqual({ day: 0n, total: 14_000n });
    });

    it.each<[string, bigint | null, bigint]>([
      ['in full when that was charged', 10_000n, 10_000n],
      ['what was charged when that was less', 1n, 1n],
      ['what was charged even when that was more', 10_001n, 10_001n],
      ['nothing when nothing was charged', null, 0n],
    ])('counts a finished call %s', async (_, charged, expected) => {
      await calls.begin(begun('a'), WIDE);
      expect(await calls.spent(NOON)).toEqual({ day: 10_000n, total: 10_000n });
      await calls.finish('a', aCall({ charged: charged === null ? null : microUsd(charged) }), NOTHING_BACK);
      expect(await calls.spent(NOON)).toEqual({ day: expected, total: expected });
    });

    it('begins exactly twenty of 100 parallel calls when there is money for twenty', async () => {
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, n) => calls.begin(begun(`call-${n}`), caps(200_000n, 900_000n))),
      );
      expect(answers.filter((answer) => answer === 'begun')).toHaveLength(20);
      expect(new Set(answers)).toEqual(new Set(['begun', 'day_cap']));
      expect(await calls.spent(NOON)).toEqual({ day: 200_000n, total: 200_000n });
    });

    it('begins an id once and finishes it once', async () => {
      await calls.begin(begun('a'), WIDE);
      await expect(calls.begin(begun('a'), WIDE)).rejects.toThrow();
      await calls.finish('a', aCall({ charged: microUsd(1n) }), NOTHING_BACK);
      const again = calls.finish('a', aCall({ charged: microUsd(5n) }), NOTHING_BACK);
      await expect(again).rejects.toThrow('paid call a was never begun or is finished');
      await expect(calls.finish('b', aCall(), NOTHING_BACK)).rejects.toThrow('paid call b was never begun');
      expect(await calls.spent(NOON)).toEqual({ day: 1n, total: 1n });
      expect(await calls.callsOf(['weather'], 9)).toEqual(
        new Map([['weather', [aCall({ charged: microUsd(1n) })]]]),
      );
    });

    it('lists what was begun and never finished, oldest first and no more than asked', async () => {
      for (const n of [3, 1, 2, 4]) await calls.begin(begun(`call-${n}`, { calledAt: afterNoon(n) }), WIDE);
      await calls.finish('call-2', aCall(), NOTHING_BACK);
      await calls.note('call-3', '{"payment":"first"}');
      await calls.note('call-3', '{"payment":"second"}');
      const first = { ...begun('call-1', { calledAt: afterNoon(1) }), note: null };
      const third = { ...begun('call-3', { calledAt: afterNoon(3) }), note: '{"payment":"second"}' };
      expect(await calls.unfinished(afterNoon(4), 9)).toEqual([first, third]);
      expect(await calls.unfinished(afterNoon(4), 1)).toEqual([first]);
      expect(await calls.unfinished(afterNoon(1), 9)).toEqual([]);
    });

    it.each(['never begun', 'finished'])('notes nothing about a call that is %s', async (stage) => {
      if (stage === 'finished') {
        await calls.begin(begun('a'), WIDE);
        await calls.finish('a', aCall(), NOTHING_BACK);
      }
      await expect(calls.note('a', '{}')).rejects.toThrow('paid call a was never begun or is finished');
    });

    it('counts to the last millionth, and refuses what it could not count', async () => {
      const everything = caps(SAFE, SAFE);
      const tooMuch = microUsd(SAFE + 1n);
      expect(await calls.begin(begun('a', { amount: microUsd(SAFE - 1n) }), everything)).toBe('begun');
      expect(await calls.begin(begun('b', { amount: microUsd(2n) }), everything)).toBe('day_cap');
      expect(await calls.begin(begun('b', { amount: microUsd(1n) }), everything)).toBe('begun');
      expect(await calls.spent(NOON)).toEqual({ day: SAFE, total: SAFE });
      expect(await calls.unfinished(afterNoon(1), 1)).toEqual([
        { ...begun('a', { amount: microUsd(SAFE - 1n) }), note: null },
      ]);
      const words = 'the store counts money only up to 2^53 millionths of a dollar';
      await expect(calls.begin(begun('c', { amount: tooMuch }), WIDE)).rejects.toThrow(words);
      await expect(calls.begin(begun('c'), caps(SAFE, SAFE + 1n))).rejects.toThrow(words);
      await expect(calls.finish('a', aCall({ charged: tooMuch }), NOTHING_BACK)).rejects.toThrow(words);
      await expect(calls.finish('a', aCall({ charged: microUsd(SAFE) }), NOTHING_BACK)).rejects.toThrow(
        words,
      );
      expect(await calls.spent(NOON)).toEqual({ day: SAFE, total: SAFE });
    });

    it('keeps the newer check of a service', async () => {
      const bare = check({
        reachable: false,
        x402Challenge: false,
        quotedPrice: null,
        priceMatchesListing: null,
      });
      await calls.keepCheck('weather', check());
      await calls.keepCheck('weather', { ...bare, checkedAt: afterNoon(-1) });
      expect(await calls.checksOf(['weather', 'maps'])).toEqual(new Map([['weather', check()]]));
      await calls.keepCheck('weather', { ...bare, checkedAt: afterNoon(1) });
      await calls.keepCheck('maps', check());
      expect(await calls.checksOf(['weather'])).toEqual(
        new Map([['weather', { ...bare, checkedAt: afterNoon(1) }]]),
      );
      expect(await calls.checksOf([])).toEqual(new Map());
    });
  });
}
