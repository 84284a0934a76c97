import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Attempt, PaymentLedger } from '../../../../src/ports/payment-ledger.ts';
import { afterNoon } from '../../../../tools/samples/store-receipts.ts';
import {
  ANSWER,
  aClaim,
  bringTo,
  FIRST,
  OTHER_ANSWER,
  prepared,
  SECOND,
  type Stage,
  TAKEN_OVER,
} from '../../../support/paying/payments.ts';
import { sized } from '../../../support/sized.ts';
import type { NewPlace, Place } from '../../../support/storing/stores.ts';

/** What an attempt can say after its claim; each with its answer when it is no longer the attempt's to say. */
const WORDS: Readonly<Record<string, (ledger: PaymentLedger, by: Attempt) => Promise<unknown>>> = {
  release: (ledger, by) => ledger.release(by),
  prepare: (ledger, by) => ledger.prepare(by, prepared(2), 'late payment', afterNoon(9_000)),
  settle: (ledger, by) =>
    ledger.settle(by, OTHER_ANSWER, '0xlate', afterNoon(9_000)).catch((fault: unknown) => String(fault)),
  refuse: (ledger, by) => ledger.refuse(by, afterNoon(9_000)),
  reject: (ledger, by) => ledger.reject(by, afterNoon(9_000)),
  leaveOpen: (ledger, by) => ledger.leaveOpen(by, afterNoon(9_000)),
};
const NEVER_CLAIMED = 'Error: a payment that was never claimed cannot be settled';
const NOT_ITS_OWN = 'Error: a payment that another attempt holds cannot be settled';

/** Who may go on with a payment: the attempt that holds it, and nobody whose time is over. */
export function describePaymentAttempts(name: string, newPlace: NewPlace): void {
  describe(`attempts at a payment on ${name}`, () => {
    let place: Place;
    let ledger: PaymentLedger;

    beforeEach(async () => {
      place = await newPlace();
      ({ payments: ledger } = await place.open());
    });
    afterEach(() => place.remove());

    const everything = async () => [
      await place.ask('select * from payments order by key'),
      await place.ask('select * from live_receipts order by id'),
    ];

    it.each<[Stage, string, unknown]>(
      (['claimed', 'settling', 'unknown', 'rejected', 'settled'] as const).flatMap((stage) => [
        [stage, 'release', undefined],
        [stage, 'prepare', false],
        [stage, 'settle', NOT_ITS_OWN],
        [stage, 'refuse', false],
        [stage, 'reject', false],
        [stage, 'leaveOpen', false],
      ]),
    )('a second attempt that is %s never hears a late %s of the first', async (stage, word, answer) => {
      await ledger.claim(aClaim());
      await bringTo(stage, ledger, TAKEN_OVER);
      const before = await everything();
      expect(before[0]).toMatchObject([{ ...SECOND, state: stage }]);
      expect(await WORDS[word]?.(ledger, FIRST)).toEqual(answer);
      expect(await everything()).toEqual(before);
    });

    it.each<[Stage, string, unknown]>([
      ['nothing', 'release', undefined],
      ['nothing', 'prepare', false],
      ['nothing', 'settle', NEVER_CLAIMED],
      ['nothing', 'reject', false],
      ['nothing', 'leaveOpen', false],
      ['released', 'prepare', false],
      ['released', 'settle', NEVER_CLAIMED],
      ['released', 'reject', false],
      ['claimed', 'settle', 'Error: a payment that is claimed cannot be settled'],
      ['claimed', 'reject', false],
      ['claimed', 'leaveOpen', false],
      ['settling', 'release', undefined],
      ['settling', 'prepare', false],
      ['unknown', 'release', undefined],
      ['unknown', 'prepare', false],
      ['unknown', 'leaveOpen', false],
      // A reconciler asks for it by now.
      ['unknown', 'refuse', false],
      ['rejected', 'release', undefined],
      ['rejected', 'prepare', false],
      ['rejected', 'settle', 'Error: a payment that is rejected cannot be settled'],
      ['rejected', 'leaveOpen', false],
      ['settled', 'release', undefined],
      ['settled', 'prepare', false],
      ['settled', 'settle', ANSWER],
      ['settled', 'reject', false],
      ['settled', 'refuse', false],
      ['settled', 'leaveOpen', false],
    ])('an attempt that came as far as %s changes nothing with %s', async (stage, word, answer) => {
      await bringTo(stage, ledger);
      const before = await everything();
      expect(await WORDS[word]?.(ledger, FIRST)).toEqual(answer);
      expect(await everything()).toEqual(before);
    });

    it.each<[Stage, string, unknown, Stage]>([
      ['claimed', 'prepare', true, 'settling'],
      ['settling', 'leaveOpen', true, 'unknown'],
      ['settling', 'settle', OTHER_ANSWER, 'settled'],
      ['unknown', 'settle', OTHER_ANSWER, 'settled'],
      ['settling', 'refuse', true, 'rejected'],
      ['settling', 'reject', true, 'rejected'],
      ['unknown', 'reject', true, 'rejected'],
      // Somebody else found the refusal first; it is one all the same.
      ['rejected', 'refuse', true, 'rejected'],
      ['rejected', 'reject', true, 'rejected'],
    ])('an attempt that came as far as %s goes on with %s', async (stage, word, answer, reached) => {
      await bringTo(stage, ledger);
      expect(await WORDS[word]?.(ledger, FIRST)).toEqual(answer);
      expect(await place.ask('select key, holder, state from payments')).toEqual([
        { ...FIRST, state: reached },
      ]);
    });

    it('is over for all payments but its own', async () => {
      await bringTo('settling', ledger);
      const before = await everything();
      const elsewhere = { ...FIRST, key: 'another' };
      const answers = [];
      for (const word of Object.values(WORDS)) answers.push(await word(ledger, elsewhere));
      expect(answers).toEqual([undefined, false, NEVER_CLAIMED, false, false, false]);
      expect(await everything()).toEqual(before);
    });

    it('is settled or rejected when both come at once, never told both', async () => {
      for (let round = 0; round < sized(6, 20); round += 1) {
        const own = { key: `key-${round}`, holder: 'attempt' };
        await ledger.claim(aClaim(own));
        await ledger.prepare(own, prepared(round), 'payment', afterNoon(1));
        // In turns, so that neither is always the first.
        const words = [
          () =>
            ledger.settle(own, ANSWER, '0xtx', afterNoon(2)).then(
              () => 'settled',
              () => 'not settled',
            ),
          () => ledger.reject(own, afterNoon(2)).then((told) => (told ? 'rejected' : 'not rejected')),
        ];
        if (round % 2 === 1) words.reverse();
        const told = (await Promise.all(words.map((word) => word()))).sort();
        const [row] = await place.ask(`select state from payments where key = '${own.key}'`);
        expect(told).toEqual(
          row?.['state'] === 'settled' ? ['not rejected', 'settled'] : ['not settled', 'rejected'],
        );
      }
    });
  });
}
