import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClaimResult, PaymentLedger } from '../../src/ports/payment-ledger.ts';
import { ANSWER, aClaim, NAMED, OTHER_ANSWER, prepared, STAGES } from '../support/payments.ts';
import { afterNoon, receiptId } from '../support/store-receipts.ts';
import type { NewPlace, Place } from '../support/stores.ts';

const { key, holder } = aClaim();
const OTHER_REQUEST: ClaimResult = { kind: 'other_request' };
const SETTLING: ClaimResult = { kind: 'pending', state: 'settling' };

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

    const stored = () => place.ask('select key, identifier, state, holder from payments order by key');
    const tooLate = { claimedAt: afterNoon(1_000), holder: 'second attempt' };
    const readable = () => place.ask('select id from live_receipts');

    it.each<[string, string, string]>([
      ['another attempt', key, 'second attempt'],
      ['another payment', 'another', holder],
    ])('neither releases nor prepares for %s', async (_, otherKeyName, otherHolder) => {
      await ledger.claim(aClaim());
      await ledger.release(otherKeyName, otherHolder);
      expect(await ledger.prepare(otherKeyName, otherHolder, prepared(), 'payment', afterNoon(1))).toBe(
        false,
      );
      expect(await stored()).toEqual([{ key, identifier: null, state: 'claimed', holder }]);
    });

    it('lets go of the first attempt once a second one has taken over', async () => {
      await ledger.claim(aClaim(NAMED));
      await ledger.claim(aClaim({ ...NAMED, ...tooLate }));
      expect(await ledger.prepare(key, holder, prepared(), 'payment', afterNoon(1_001))).toBe(false);
      await ledger.release(key, holder);
      expect(await ledger.prepare(key, tooLate.holder, prepared(), 'payment', afterNoon(1_001))).toBe(true);
      expect(await ledger.prepare(key, tooLate.holder, prepared(), 'payment', afterNoon(1_002))).toBe(false);
      await ledger.release(key, tooLate.holder);
      expect(await ledger.claim(aClaim(tooLate))).toEqual(SETTLING);
    });

    it('hides the receipt until the payment is settled, and then shows it and the answer at once (G64)', async () => {
      const { receipts } = await place.open();
      await STAGES['unknown']?.(ledger);
      expect(await receipts.byId(receiptId(1))).toBeNull();
      expect(await ledger.settle(key, ANSWER, '0xtx', afterNoon(2))).toEqual(ANSWER);
      expect(await receipts.byId(receiptId(1))).toEqual(prepared().receipt?.receipt);
      expect(await receipts.latestOf('key', 'live', 9)).toHaveLength(1);
      expect(await place.ask('select tx, prepared, open_since from payments')).toEqual([
        { tx: '0xtx', prepared: null, open_since: null },
      ]);
    });

    it('settles once: of 20 at the same moment all get the bytes of the first, and so does who comes later', async () => {
      await STAGES['settling']?.(ledger);
      // Opens all connections first: whoever has to connect comes too late to be in anybody's way.
      await Promise.all(Array.from({ length: 20 }, () => ledger.open(afterNoon(0), 1)));
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          ledger.settle(key, { ...ANSWER, body: `answer ${n}` }, `0x${n}`, afterNoon(n)),
        ),
      );
      const [first] = answers;
      for (const answer of answers) expect(answer).toEqual(first);
      expect(await ledger.settle(key, OTHER_ANSWER, '0xother', afterNoon(99))).toEqual(first);
      expect(await ledger.claim(aClaim())).toEqual({ kind: 'settled', answer: first });
      expect(await readable()).toHaveLength(1);
    });

    it('settles an answer without a receipt', async () => {
      await ledger.claim(aClaim());
      await ledger.prepare(key, holder, { body: '{}', receipt: null }, 'payment', afterNoon(1));
      expect(await ledger.settle(key, ANSWER, '0xtx', afterNoon(2))).toEqual(ANSWER);
      expect(await readable()).toEqual([]);
    });

    it.each<[string, string, RegExp]>([
      ['nothing', 'settle', /^a payment that was never claimed cannot be settled$/],
      ['claimed', 'settle', /^a payment that is claimed cannot be settled$/],
      ['rejected', 'settle', /^a payment that is rejected cannot be settled$/],
      ['settled', 'reject', /^a payment that is settled cannot be rejected$/],
    ])('a payment that was %s refuses to %s and stays as it is', async (stage, act, message) => {
      await STAGES[stage]?.(ledger);
      const before = [await stored(), await readable()];
      const acting =
        act === 'settle' ? ledger.settle(key, ANSWER, '0x', afterNoon(9)) : ledger.reject(key, afterNoon(9));
      await expect(acting).rejects.toThrow(message);
      expect([await stored(), await readable()]).toEqual(before);
    });

    it.each(['nothing', 'claimed', 'rejected', 'settled'])(
      'leaves a payment alone that was %s',
      async (stage) => {
        await STAGES[stage]?.(ledger);
        const before = await stored();
        await ledger.leaveOpen(key, afterNoon(9));
        if (stage !== 'settled') await ledger.reject(key, afterNoon(9));
        expect(await stored()).toEqual(before);
      },
    );

    it('keeps nothing of a rejected payment but that it was one', async () => {
      await STAGES['rejected']?.(ledger);
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
        const own = { key: `key-${n}` };
        await ledger.claim(aClaim(own));
        if (state === 'claimed') continue;
        await ledger.prepare(own.key, holder, prepared(n), `payment ${n}`, afterNoon(10 - n));
        if (state === 'unknown') await ledger.leaveOpen(own.key, afterNoon(99));
        if (state === 'settled') await ledger.settle(own.key, ANSWER, '0xtx', afterNoon(99));
        if (state === 'rejected') await ledger.reject(own.key, afterNoon(99));
      }
      const second = {
        key: 'key-1',
        state: 'unknown',
        since: afterNoon(9),
        payment: 'payment 1',
        preparedBody: prepared(1).body,
      };
      const first = {
        key: 'key-0',
        state: 'settling',
        since: afterNoon(10),
        payment: 'payment 0',
        preparedBody: prepared(0).body,
      };
      expect(await ledger.open(afterNoon(11), 9)).toEqual([second, first]);
      expect(await ledger.open(afterNoon(11), 1)).toEqual([second]);
      expect(await ledger.open(afterNoon(10), 9)).toEqual([second]);
    });

    it('forgets old answers, oldest first and no more than asked, and never the payments', async () => {
      for (const n of [1, 2, 3]) {
        await ledger.claim(aClaim({ key: `key-${n}` }));
        await ledger.prepare(`key-${n}`, holder, prepared(n), 'payment', afterNoon(1));
        await ledger.settle(`key-${n}`, ANSWER, '0xtx', afterNoon(10 * n));
      }
      const kept = async () =>
        (await place.ask('select key from payments where answer is not null order by key')).map(
          (row) => row['key'],
        );
      expect(await ledger.prune(afterNoon(30), 1)).toBe(1);
      expect(await kept()).toEqual(['key-2', 'key-3']);
      expect(await ledger.prune(afterNoon(30), 9)).toBe(1);
      expect(await ledger.prune(afterNoon(30), 9)).toBe(0);
      expect(await kept()).toEqual(['key-3']);
      expect(await ledger.claim(aClaim({ key: 'key-1' }))).toEqual({ kind: 'settled', answer: null });
      expect(await ledger.claim(aClaim({ key: 'key-1', requestKey: 'x' }))).toEqual(OTHER_REQUEST);
      await expect(ledger.settle('key-1', ANSWER, '0x', afterNoon(99))).rejects.toThrow('is no longer kept');
    });
  });
}
