import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PaidOperation, PaymentLedger } from '../../../../src/ports/payment-ledger.ts';
import { afterNoon, NOON, receiptId } from '../../../../tools/samples/store-receipts.ts';
import {
  ANSWER,
  aClaim,
  bringTo,
  FIRST,
  OTHER_ANSWER,
  PRESENTED,
  prepared,
} from '../../../support/paying/payments.ts';
import type { NewPlace, Place } from '../../../support/storing/stores.ts';

/** What every ledger of payments promises to whoever has claimed one. */
export function describePaymentLedger(name: string, newPlace: NewPlace): void {
  describe(`payments on ${name}`, () => {
    let place: Place;
    let ledger: PaymentLedger;

    beforeEach(async () => {
      place = await newPlace();
      ({ payments: ledger } = await place.open());
    });
    afterEach(() => place.remove());

    const readable = () => place.ask('select id from live_receipts');

    it('hides the receipt until the payment is settled, and then shows it and the answer at once (G64)', async () => {
      const { receipts } = await place.open();
      await bringTo('unknown', ledger);
      expect(await receipts.byId(receiptId(1))).toBeNull();
      expect(await ledger.settle(FIRST, ANSWER, '0xtx', afterNoon(2))).toEqual(ANSWER);
      expect(await receipts.byId(receiptId(1))).toEqual(prepared().receipt?.receipt);
      expect(await receipts.latestOf('key', { mode: 'live', limit: 9, now: NOON })).toHaveLength(1);
      expect(await place.ask('select tx, prepared, open_since from payments')).toEqual([
        { tx: '0xtx', prepared: null, open_since: null },
      ]);
    });

    it('settles once: of 20 at the same moment all get the bytes of the first, and so does who comes later', async () => {
      await bringTo('settling', ledger);
      // Opens all connections first: whoever has to connect comes too late to be in anybody's way.
      await Promise.all(Array.from({ length: 20 }, () => ledger.open(afterNoon(0), 1)));
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          ledger.settle(FIRST, { ...ANSWER, body: `answer ${n}` }, `0x${n}`, afterNoon(n)),
        ),
      );
      const [first] = answers;
      for (const answer of answers) expect(answer).toEqual(first);
      expect(await ledger.settle(FIRST, OTHER_ANSWER, '0xother', afterNoon(99))).toEqual(first);
      expect(await ledger.claim(aClaim())).toEqual({ kind: 'settled', answer: first, presented: PRESENTED });
      expect(await readable()).toHaveLength(1);
    });

    it('settles an answer without a receipt', async () => {
      await ledger.claim(aClaim());
      await ledger.prepare(
        FIRST,
        { operation: 'lookup', body: '{}', receipt: null },
        'payment',
        afterNoon(1),
      );
      expect(await ledger.settle(FIRST, ANSWER, '0xtx', afterNoon(2))).toEqual(ANSWER);
      expect(await readable()).toEqual([]);
    });

    it('keeps nothing of a rejected payment but that it was one', async () => {
      await bringTo('rejected', ledger);
      const rows = await place.ask(
        'select state, identifier, open_since, prepared, tx, answer from payments',
      );
      expect(rows).toEqual([
        { state: 'rejected', identifier: null, open_since: null, prepared: null, tx: null, answer: null },
      ]);
      expect(await readable()).toEqual([]);
    });

    it('lists open settlements since they were prepared, oldest first and no more than asked', async () => {
      for (const [n, state] of ['settling', 'unknown', 'settled', 'rejected', 'claimed'].entries()) {
        const own = { key: `key-${n}`, holder: `attempt ${n}` };
        await ledger.claim(aClaim(own));
        if (state === 'claimed') continue;
        await ledger.prepare(own, prepared(n), `payment ${n}`, afterNoon(10 - n));
        if (state === 'unknown') await ledger.leaveOpen(own, afterNoon(99));
        if (state === 'settled') await ledger.settle(own, ANSWER, '0xtx', afterNoon(99));
        if (state === 'rejected') await ledger.reject(own, afterNoon(99));
      }
      const second = {
        key: 'key-1',
        holder: 'attempt 1',
        state: 'unknown',
        since: afterNoon(9),
        payment: 'payment 1',
        prepared: prepared(1),
      };
      const first = {
        key: 'key-0',
        holder: 'attempt 0',
        state: 'settling',
        since: afterNoon(10),
        payment: 'payment 0',
        prepared: prepared(0),
      };
      expect(await ledger.open(afterNoon(11), 9)).toEqual([second, first]);
      expect(await ledger.open(afterNoon(11), 1)).toEqual([second]);
      expect(await ledger.open(afterNoon(10), 9)).toEqual([second]);
      expect(await ledger.open(afterNoon(11), 9, second)).toEqual([first]);
      expect(await ledger.open(afterNoon(11), 9, first)).toEqual([]);
    });

    it.each<PaidOperation>(['lookup', 'spot_check', 'pack'])(
      'remembers that a %s was sold',
      async (operation) => {
        await ledger.claim(aClaim());
        await ledger.prepare(FIRST, { operation, body: '{}', receipt: null }, 'payment', afterNoon(1));
        const [open] = await ledger.open(afterNoon(2), 9);
        expect(open).toMatchObject({ prepared: { operation, body: '{}' } });
      },
    );

    it.each([
      ['is no JSON', "prepared = '{'"],
      ['lacks what was sold', 'prepared = \'{"payment":"payment"}\''],
      ['is gone', 'prepared = null'],
      ['waits in a state in which nothing is waited for', "state = 'settled'"],
    ])('shows a row that %s as one that cannot be read, between its neighbours', async (_, damage) => {
      for (const n of [1, 2, 3]) {
        const attempt = { key: `key-${n}`, holder: `attempt ${n}` };
        await ledger.claim(aClaim(attempt));
        await ledger.prepare(attempt, prepared(n), `payment ${n}`, afterNoon(n));
      }
      await place.ask(`update payments set ${damage} where key = 'key-2'`);
      const found = await ledger.open(afterNoon(9), 9);
      expect(found.map(({ key, state }) => `${key} ${state}`)).toEqual([
        'key-1 settling',
        'key-2 unreadable',
        'key-3 settling',
      ]);
      // Whoever pages on from it comes to the next one.
      expect(await ledger.open(afterNoon(9), 1, found[1])).toMatchObject([{ key: 'key-3' }]);
    });
  });
}
