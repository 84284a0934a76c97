import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PaymentClaim, PaymentLedger } from '../../../../src/ports/payment-ledger.ts';
import { afterNoon } from '../../../../tools/samples/store-receipts.ts';
import {
  ANSWER,
  aClaim,
  bringTo,
  FIRST,
  NAMED,
  prepared,
  type Stage,
} from '../../../support/paying/payments.ts';
import type { NewPlace, Place } from '../../../support/storing/stores.ts';

const LONG_AFTER = afterNoon(1_000_000);

/** What a ledger forgets of payments, and what never. */
export function describePaymentPruning(name: string, newPlace: NewPlace): void {
  describe(`old payments on ${name}`, () => {
    let place: Place;
    let ledger: PaymentLedger;

    beforeEach(async () => {
      place = await newPlace();
      ({ payments: ledger } = await place.open());
    });
    afterEach(() => place.remove());

    const keysWhere = async (condition: string) =>
      (await place.ask(`select key from payments where ${condition} order by key`)).map((row) => row['key']);
    const claimUntil = (key: string, ms: number) => ledger.claim(aClaim({ key, heldUntil: afterNoon(ms) }));
    const settleAt = async (key: string, n: number, ms: number) => {
      const own = { key, holder: FIRST.holder };
      await ledger.claim(aClaim(own));
      await ledger.prepare(own, prepared(n), 'payment', afterNoon(1));
      await ledger.settle(own, ANSWER, '0xtx', afterNoon(ms));
    };

    it('lose their answers and who presented them, oldest first and no more than asked, and stay', async () => {
      for (const n of [1, 2, 3]) await settleAt(`key-${n}`, n, 10 * n);
      await ledger.deliver('key-1', 'network', afterNoon(11));
      expect(await ledger.prune(afterNoon(30), 1)).toBe(1);
      expect(await keysWhere('answer is not null')).toEqual(['key-2', 'key-3']);
      expect(await ledger.prune(afterNoon(30), 9)).toBe(1);
      expect(await ledger.prune(afterNoon(30), 9)).toBe(0);
      expect(await keysWhere('answer is not null')).toEqual(['key-3']);
      const first = aClaim({ key: 'key-1' });
      const forgotten = {
        kind: 'settled',
        answer: null,
        presented: { claimedFrom: null, deliveredTo: null },
      };
      expect(await ledger.claim(first)).toEqual(forgotten);
      expect(await ledger.look(first, LONG_AFTER)).toEqual(forgotten);
      expect(await ledger.claim({ ...first, requestKey: 'x' })).toEqual({ kind: 'other_request' });
      await expect(ledger.settle(first, ANSWER, '0x', afterNoon(99))).rejects.toThrow('is no longer kept');
    });

    it.each<[Stage, string, number, number, string[]]>([
      ['claimed', 'the moment after its claim ran out', 1_001, 1, []],
      ['claimed', 'the moment when its claim runs out', 1_000, 0, ['claimed']],
      ['rejected', 'the moment after it was rejected', 503, 1, []],
      ['rejected', 'the moment when it was rejected', 502, 0, ['rejected']],
      ['settling', 'long after', 1_000_000, 0, ['settling']],
      ['unknown', 'long after', 1_000_000, 0, ['unknown']],
      ['settled', 'long after', 1_000_000, 1, ['settled']],
    ])('one that is %s: %s', async (stage, _, ms, pruned, left) => {
      await bringTo(stage, ledger, { claimedAt: afterNoon(500), heldUntil: afterNoon(1_000) });
      expect(await ledger.prune(afterNoon(ms), 9)).toBe(pruned);
      const states = await place.ask('select state from payments');
      expect(states.map(({ state }) => state)).toEqual(left);
      expect(await ledger.prune(afterNoon(ms), 9)).toBe(0);
    });

    it('count from the rejection and not from the claim', async () => {
      await bringTo('unknown', ledger);
      await ledger.reject(FIRST, afterNoon(500_000));
      expect(await ledger.prune(afterNoon(500_000), 9)).toBe(0);
      expect(await ledger.prune(afterNoon(500_001), 9)).toBe(1);
    });

    it('are forgotten oldest first, and together with answers no more than asked', async () => {
      for (const n of [1, 2]) await settleAt(`settled-${n}`, n, 10 * n);
      for (const n of [3, 1, 2]) await claimUntil(`claimed-${n}`, 10 * n);
      const left = async () => [await keysWhere('answer is not null'), await keysWhere("state = 'claimed'")];
      expect(await ledger.prune(LONG_AFTER, 2)).toBe(2);
      expect(await left()).toEqual([[], ['claimed-1', 'claimed-2', 'claimed-3']]);
      expect(await ledger.prune(LONG_AFTER, 1)).toBe(1);
      expect(await left()).toEqual([[], ['claimed-2', 'claimed-3']]);
      await settleAt('settled-3', 3, 30);
      expect(await ledger.prune(LONG_AFTER, 2)).toBe(2);
      expect(await left()).toEqual([[], ['claimed-3']]);
      expect(await ledger.prune(LONG_AFTER, 2)).toBe(1);
      expect(await keysWhere('true')).toEqual(['settled-1', 'settled-2', 'settled-3']);
    });

    it('leave their key and their identifier to whoever comes next', async () => {
      await bringTo('claimed', ledger);
      await ledger.prune(LONG_AFTER, 9);
      expect(await ledger.prepare(FIRST, prepared(), 'payment', LONG_AFTER)).toBe(false);
      expect(await ledger.claim(aClaim({ ...NAMED, key: 'another' }))).toEqual({ kind: 'claimed' });
    });

    it('never take a claim with them that took over at the same moment', async () => {
      const keys = Array.from({ length: 50 }, (_, n) => `key-${n}`);
      await Promise.all(keys.map((key) => claimUntil(key, 1_000)));
      const anew: Partial<PaymentClaim> = {
        holder: 'second attempt',
        claimedAt: LONG_AFTER,
        heldUntil: afterNoon(2_000_000),
      };
      const claims = keys.map((key) => ledger.claim(aClaim({ ...anew, key })));
      const prunes = Array.from({ length: 10 }, () => ledger.prune(LONG_AFTER, 5));
      const answers = await Promise.all(claims);
      await Promise.all(prunes);
      expect(answers).toEqual(keys.map(() => ({ kind: 'claimed' })));
      expect(await keysWhere("holder = 'second attempt'")).toHaveLength(50);
    });
  });
}
