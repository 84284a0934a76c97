import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PaymentLedger } from '../../../../src/ports/payment-ledger.ts';
import { afterNoon } from '../../../../tools/samples/store-receipts.ts';
import { aClaim, bringTo, FIRST, SECOND, type Stage, TAKEN_OVER } from '../../../support/paying/payments.ts';
import type { NewPlace, Place } from '../../../support/storing/stores.ts';

const REVERTED = '0xreverted';

/** What every ledger counts of the transactions that our key sends (L90). */
export function describePaymentSends(name: string, newPlace: NewPlace): void {
  describe(`transactions sent for a payment on ${name}`, () => {
    let place: Place;
    let ledger: PaymentLedger;

    beforeEach(async () => {
      place = await newPlace();
      ({ payments: ledger } = await place.open());
    });
    afterEach(() => place.remove());

    const sent = async (seconds: readonly number[]) => {
      const granted: number[] = [];
      for (const second of seconds) {
        if (await ledger.takeSend(FIRST, afterNoon(second * 1_000))) granted.push(second);
      }
      return granted;
    };

    it.each<Stage>(['settling', 'unknown'])('are five with growing pauses while it is %s', async (stage) => {
      await bringTo(stage, ledger);
      expect(await sent([1, 2, 5.9, 6, 15.9, 16, 35, 36, 75, 76, 999, 9_999])).toEqual([1, 6, 16, 36, 76]);
    });

    it.each<Stage>(['nothing', 'claimed', 'rejected', 'settled'])('are none when it is %s', async (stage) => {
      await bringTo(stage, ledger);
      expect(await sent([1])).toEqual([]);
    });

    it('are none for an attempt that no longer holds it', async () => {
      await ledger.claim(aClaim());
      await bringTo('settling', ledger, TAKEN_OVER);
      expect(await sent([1])).toEqual([]);
      expect(await ledger.takeSend(SECOND, afterNoon(2_000))).toBe(true);
    });

    it('are one of 20 that are asked for at the same moment', async () => {
      await bringTo('settling', ledger);
      const asked = Array.from({ length: 20 }, () => ledger.takeSend(FIRST, afterNoon(1)));
      expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(1);
    });

    it('count for the next attempt at the same payment, too', async () => {
      await bringTo('settling', ledger);
      await sent([1]);
      await ledger.reject(FIRST, afterNoon(2_000));
      await bringTo('settling', ledger, { ...TAKEN_OVER, claimedAt: afterNoon(2_000) });
      expect(await ledger.takeSend(SECOND, afterNoon(5_999))).toBe(false);
      expect(await ledger.takeSend(SECOND, afterNoon(6_000))).toBe(true);
    });

    it('end when they are told to', async () => {
      await bringTo('settling', ledger);
      await ledger.endSends(FIRST);
      expect(await sent([1, 9_999])).toEqual([]);
    });

    it('make a payment whose transaction reverted worthless for ever', async () => {
      await bringTo('settling', ledger, { identifier: null });
      expect(await ledger.reject(FIRST, afterNoon(2), REVERTED)).toBe(true);
      const again = aClaim({ ...SECOND, claimedAt: afterNoon(99_000), heldUntil: afterNoon(99_999) });
      expect(await ledger.look(again, afterNoon(99_000))).toEqual({ kind: 'reverted' });
      expect(await ledger.lookAndEnd(again, afterNoon(99_000))).toEqual({ kind: 'reverted' });
      expect(await ledger.claim(again)).toEqual({ kind: 'reverted' });
      expect(await place.ask('select state, tx from payments')).toEqual([
        { state: 'rejected', tx: REVERTED },
      ]);
      expect(await ledger.prune(afterNoon(3), 9)).toBe(1);
    });
  });
}
