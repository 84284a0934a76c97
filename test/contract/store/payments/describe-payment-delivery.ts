import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PaymentLedger } from '../../../../src/ports/payment-ledger.ts';
import { afterNoon } from '../../../../tools/samples/store-receipts.ts';
import { ANSWER, aClaim, bringTo, FIRST, FROM, type Stage } from '../../../support/paying/payments.ts';
import type { NewPlace, Place } from '../../../support/storing/stores.ts';

/** What every ledger remembers of those who presented a payment (G97). */
export function describePaymentDelivery(name: string, newPlace: NewPlace): void {
  describe(`the delivery of a bought answer on ${name}`, () => {
    let place: Place;
    let ledger: PaymentLedger;

    beforeEach(async () => {
      place = await newPlace();
      ({ payments: ledger } = await place.open());
    });
    afterEach(() => place.remove());

    const stored = () => place.ask('select claimed_from, delivered_to from payments');

    it('is remembered once, beside who paid', async () => {
      await bringTo('settled', ledger, { identifier: null });
      const look = () => ledger.look(aClaim(), afterNoon(9));
      expect(await look()).toMatchObject({ presented: { claimedFrom: FROM, deliveredTo: null } });
      await ledger.deliver(FIRST.key, 'first', afterNoon(3));
      await ledger.deliver(FIRST.key, 'second', afterNoon(4));
      expect(await look()).toEqual({
        kind: 'settled',
        answer: ANSWER,
        presented: { claimedFrom: FROM, deliveredTo: 'first' },
      });
    });

    it.each<Stage>(['claimed', 'settling', 'unknown', 'rejected'])(
      'is nothing for a payment that is %s',
      async (stage) => {
        await bringTo(stage, ledger);
        await ledger.deliver(FIRST.key, 'first', afterNoon(3));
        expect(await stored()).toEqual([{ claimed_from: FROM, delivered_to: null }]);
      },
    );

    it('of a pack is kept without its goods', async () => {
      await bringTo('settling', ledger, { identifier: null });
      const pack = { ...ANSWER, goods: 'pack' } as const;
      await ledger.settle(FIRST, pack, '0xtx', afterNoon(2));
      expect(await ledger.look(aClaim(), afterNoon(9))).toMatchObject({ answer: pack });
    });
  });
}
