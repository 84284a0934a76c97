import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClaimResult, PaymentClaim, PaymentLedger } from '../../../../src/ports/payment-ledger.ts';
import { afterNoon, NOON } from '../../../../tools/samples/store-receipts.ts';
import {
  ANSWER,
  aClaim,
  bringTo,
  FIRST,
  NAMED,
  PRESENTED,
  prepared,
  type Stage,
} from '../../../support/paying/payments.ts';
import { sized } from '../../../support/sized.ts';
import type { NewPlace, Place } from '../../../support/storing/stores.ts';

const CLAIMED: ClaimResult = { kind: 'claimed' };
const OTHER_REQUEST: ClaimResult = { kind: 'other_request' };
const pending = (state: 'claimed' | 'settling' | 'unknown'): ClaimResult => ({ kind: 'pending', state });

/** Whom every ledger of payments gives a payment to. */
export function describePaymentClaims(name: string, newPlace: NewPlace): void {
  describe(`claims of payments on ${name}`, () => {
    let place: Place;
    let ledger: PaymentLedger;

    beforeEach(async () => {
      place = await newPlace();
      ({ payments: ledger } = await place.open());
    });
    afterEach(() => place.remove());

    const stored = () => place.ask('select key, identifier, state, holder from payments order by key');
    const readable = () => place.ask('select id from live_receipts');

    const SETTLED: ClaimResult = { kind: 'settled', answer: ANSWER, presented: PRESENTED };
    const later = { claimedAt: afterNoon(500), holder: 'second attempt' };
    const tooLate = { claimedAt: afterNoon(1_000), holder: 'second attempt' };
    const behind = (seconds: number) => ({
      claimedAt: afterNoon(-1_000 * seconds),
      holder: 'second attempt',
    });
    const otherKey = { key: 'eip155:8453|0xusdc|0xpayer|0x02' };
    it.each<[Stage, string, Partial<PaymentClaim>, ClaimResult]>([
      ['nothing', 'the first comes', NAMED, CLAIMED],
      ['claimed', 'somebody is at work', { ...NAMED, ...later }, pending('claimed')],
      ['claimed', 'the identifier was left out', later, pending('claimed')],
      ['claimed', 'it is for something else', { ...later, requestKey: 'x' }, OTHER_REQUEST],
      ['claimed', 'its identifier is on another payment', { ...NAMED, ...later, ...otherKey }, OTHER_REQUEST],
      ['claimed', 'another payment has another identifier', { identifier: 'order-2', ...otherKey }, CLAIMED],
      ['claimed', 'another payment has no identifier', otherKey, CLAIMED],
      ['claimed', 'the claim ran out', { ...NAMED, ...tooLate }, CLAIMED],
      [
        'claimed',
        'whoever holds it has a clock a little ahead',
        { ...NAMED, ...behind(200) },
        pending('claimed'),
      ],
      ['claimed', 'whoever held it had a clock that was wrong', { ...NAMED, ...behind(400) }, CLAIMED],
      ['claimed', 'it ran out and is for something else now', { ...tooLate, requestKey: 'x' }, CLAIMED],
      [
        'claimed',
        'it ran out and another payment has its identifier',
        { ...NAMED, ...tooLate, ...otherKey },
        CLAIMED,
      ],
      ['released', 'the claim was given back', { ...NAMED, ...later, requestKey: 'x' }, CLAIMED],
      ['released', 'another payment has its identifier', { ...NAMED, ...later, ...otherKey }, CLAIMED],
      [
        'settling',
        'the settlement is under way, however long',
        { ...NAMED, ...tooLate },
        pending('settling'),
      ],
      ['settling', 'it is for something else', { ...tooLate, requestKey: 'x' }, OTHER_REQUEST],
      [
        'settling',
        'its identifier is on another payment',
        { ...NAMED, ...tooLate, ...otherKey },
        OTHER_REQUEST,
      ],
      ['unknown', 'nobody knows the outcome, however long', { ...NAMED, ...tooLate }, pending('unknown')],
      ['unknown', 'it is for something else', { ...tooLate, requestKey: 'x' }, OTHER_REQUEST],
      ['rejected', 'the settlement was refused', { ...NAMED, ...later }, CLAIMED],
      ['rejected', 'it was refused and is for something else now', { ...later, requestKey: 'x' }, CLAIMED],
      ['rejected', 'another payment has its identifier', { ...NAMED, ...later, ...otherKey }, CLAIMED],
      ['settled', 'it is asked for again', { ...NAMED, ...tooLate }, SETTLED],
      ['settled', 'the identifier was left out', tooLate, SETTLED],
      ['settled', 'it is for something else', { ...tooLate, requestKey: 'x' }, OTHER_REQUEST],
      [
        'settled',
        'its identifier is for something else',
        { ...NAMED, ...tooLate, ...otherKey, requestKey: 'x' },
        OTHER_REQUEST,
      ],
      [
        'settled',
        'its identifier is on another payment',
        { ...NAMED, ...tooLate, ...otherKey },
        OTHER_REQUEST,
      ],
    ])('a payment that was %s: %s (G63, G67)', async (stage, _, changes, expected) => {
      await bringTo(stage, ledger);
      const claim = aClaim(changes);
      const before = await stored();
      expect(await ledger.look(claim, claim.claimedAt)).toEqual(expected === CLAIMED ? null : expected);
      expect(await stored()).toEqual(before);
      expect(await ledger.claim(claim)).toEqual(expected);
      if (expected !== CLAIMED) return expect(await stored()).toEqual(before);
      expect(await stored()).toContainEqual({
        key: claim.key,
        identifier: claim.identifier,
        state: 'claimed',
        holder: claim.holder,
      });
      expect(await readable()).toEqual([]);
    });

    it.each<[Stage, string, Partial<PaymentClaim>, ClaimResult | null, boolean]>([
      ['claimed', 'somebody is at work', later, pending('claimed'), true],
      ['claimed', 'the claim ran out', { ...NAMED, ...tooLate }, null, false],
      ['claimed', 'the claim ran out and the identifier was left out', tooLate, null, false],
      ['claimed', 'whoever held it had a clock that was wrong', behind(400), null, false],
      ['claimed', 'it ran out for something else', { ...tooLate, requestKey: 'x' }, null, true],
      [
        'claimed',
        'it ran out and another payment has its identifier',
        { ...NAMED, ...tooLate, ...otherKey },
        null,
        true,
      ],
      ['settling', 'the settlement is under way, however long', tooLate, pending('settling'), true],
      ['unknown', 'nobody knows the outcome, however long', tooLate, pending('unknown'), true],
      ['rejected', 'the settlement was refused', later, null, true],
      ['settled', 'it is asked for again', tooLate, SETTLED, true],
      ['nothing', 'nobody ever had it', later, null, true],
    ])(
      'before the answer is given away, a payment that was %s: %s (L78)',
      async (stage, _, changes, expected, stays) => {
        await bringTo(stage, ledger);
        const before = await stored();
        const { claimedAt: at, ...request } = aClaim(changes);
        expect(await ledger.lookAndEnd(request, at)).toEqual(expected);
        expect(await stored()).toEqual(stays ? before : []);
        if (stage !== 'claimed') return;
        expect(await ledger.prepare(FIRST, prepared(), 'payment', afterNoon(1_500))).toBe(stays);
      },
    );

    it('either ends a claim that ran out or lets it go on, never both (L78)', async () => {
      for (let round = 0; round < sized(8, 50); round += 1) {
        const claim = aClaim({ key: `key-${round}` });
        await ledger.claim(claim);
        const goOn = ledger.prepare(claim, prepared(round), 'payment', afterNoon(1_500));
        const end = ledger.lookAndEnd(claim, afterNoon(1_000));
        expect(await end).toEqual((await goOn) ? pending('settling') : null);
      }
    });

    it('keeps an identifier of 128 signs whole, and tells it from one that ends otherwise (G67)', async () => {
      const longest = { identifier: 'x'.repeat(128) };
      expect(await ledger.claim(aClaim(longest))).toEqual(CLAIMED);
      expect(await ledger.claim(aClaim({ ...longest, ...otherKey }))).toEqual(OTHER_REQUEST);
      expect(await ledger.claim(aClaim({ identifier: `${'x'.repeat(127)}y`, ...otherKey }))).toEqual(CLAIMED);
      expect((await stored()).map(({ identifier }) => identifier)).toEqual([
        'x'.repeat(128),
        `${'x'.repeat(127)}y`,
      ]);
    });

    it.each<[string, Partial<PaymentClaim>]>([
      ['a key with a NUL', { key: 'eip155:8453|\0' }],
      ['a key with half a pair', { key: 'eip155:8453|\ud800' }],
      ['an identifier with a NUL', { identifier: 'order-1\0' }],
      ['an identifier with half a pair', { identifier: 'order-1\udc00' }],
    ])('refuses %s, which an engine would refuse or take for another, and goes on', async (_, odd) => {
      const refusal = 'the name of a payment has a sign in it that no store can keep';
      await expect(ledger.look(aClaim(odd), NOON)).rejects.toThrow(refusal);
      await expect(ledger.lookAndEnd(aClaim(odd), NOON)).rejects.toThrow(refusal);
      await expect(ledger.claim(aClaim(odd))).rejects.toThrow(refusal);
      expect(await stored()).toEqual([]);
      expect(await ledger.claim(aClaim({ identifier: 'order-\u{1f600}' }))).toEqual(CLAIMED);
    });

    it('gives a payment to exactly one of 100 parallel attempts', async () => {
      for (let round = 0; round < sized(8, 50); round += 1) {
        const attempts = Array.from({ length: 100 }, (_, n) =>
          ledger.claim(aClaim({ key: `key-${round}`, holder: `attempt-${n}` })),
        );
        const kinds = (await Promise.all(attempts)).map(({ kind }) => kind).sort();
        expect(kinds).toEqual(['claimed', ...Array.from({ length: 99 }, () => 'pending')]);
      }
    });

    it('gives an identifier to exactly one of 100 payments that carry it', async () => {
      const attempts = Array.from({ length: 100 }, (_, n) =>
        ledger.claim(aClaim({ ...NAMED, key: `key-${n}`, holder: `attempt-${n}` })),
      );
      const kinds = (await Promise.all(attempts)).map(({ kind }) => kind).sort();
      expect(kinds).toEqual(['claimed', ...Array.from({ length: 99 }, () => 'other_request')]);
      expect(await stored()).toHaveLength(1);
    });

    it('never tangles claims that cross each other by key and identifier', async () => {
      // Every claim that comes later finds two lapsed ones: one by its key, another by its identifier.
      const claims = (holderOf: string, changes: Partial<PaymentClaim>, turn: number) =>
        Array.from({ length: 40 }, (_, n) =>
          ledger.claim(
            aClaim({ key: `key-${n}`, identifier: `order-${(n + turn) % 40}`, holder: holderOf, ...changes }),
          ),
        );
      await Promise.all(claims('first', {}, 0));
      const answers = await Promise.all([
        ...claims('second', { claimedAt: afterNoon(2_000), heldUntil: afterNoon(9_000) }, 1),
        ...claims('third', { claimedAt: afterNoon(2_000), heldUntil: afterNoon(9_000) }, 39),
      ]);
      const kept = await stored();
      expect(answers.filter(({ kind }) => kind === 'claimed')).toHaveLength(kept.length);
      expect(new Set(kept.map(({ identifier }) => identifier)).size).toBe(kept.length);
    });
  });
}
