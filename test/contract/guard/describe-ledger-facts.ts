import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { microUsd } from '../../../src/core/money/micro-usd.ts';
import type { Ledger, PurchaseQuery } from '../../../src/guard/ledger/ledger.ts';
import { LedgerFault } from '../../../src/guard/ledger/ledger-fault.ts';
import {
  A_WITNESS,
  AN_AUTHORIZATION,
  afterNoon,
  aPurchase,
  aWholePurchase,
  NOON,
  NOON_SECONDS,
} from '../../support/guarding/buyers/purchases.ts';
import type { LedgerPlace, NewLedgerPlace } from '../../support/guarding/ledger/ledger-places.ts';

/** What every ledger promises about what it keeps, finds, drops and cannot do. */
export function describeLedgerFacts(name: string, newPlace: NewLedgerPlace): void {
  describe(`a ledger in ${name}`, () => {
    let place: LedgerPlace;
    let ledger: Ledger;

    beforeEach(async () => {
      place = await newPlace();
      ledger = place.open();
    });
    afterEach(() => place.remove());

    const whole = aWholePurchase({ id: 'a' });
    const payable = (id: string, validBefore: bigint) =>
      aWholePurchase({
        id,
        authorization: { ...AN_AUTHORIZATION, validBefore },
      });
    const paymentOf = async (id: string) => (await ledger.find({ id }))[0]?.payment;

    it('keeps the facts of each move, and all others', async () => {
      await ledger.reserve(aPurchase({ id: 'a' }), []);
      const { terms, authorization, payment, attempts, answer, chain } = whole;
      const signed = {
        terms: { ...terms, amount: '9000' },
        termsSha256: 'other terms',
        amount: microUsd(9_000n),
        authorization,
        payment,
      };
      const at = [1, 2, 3, 4].map(afterNoon);
      const moves = [
        { from: ['reserved'], to: 'signed', at: at[0] ?? NOON, facts: signed, durable: true },
        { from: ['signed'], to: 'sent', at: at[1] ?? NOON },
        { from: ['signed', 'sent'], to: 'sent', at: at[2] ?? NOON, facts: { attempts } },
        { from: ['sent'], to: 'delivered', at: at[3] ?? NOON, facts: { answer, chain } },
      ] as const;
      for (const move of moves) expect(await ledger.move('a', move)).toBe(true);
      expect(await place.open().find({ termsSha256: 'other terms' })).toEqual([
        {
          ...aPurchase({ id: 'a' }),
          ...signed,
          attempts,
          answer,
          chain,
          state: 'delivered',
          updatedAt: at[3],
        },
      ]);
    });

    it('writes nothing when a purchase is in another state or not there', async () => {
      await ledger.reserve(aPurchase({ id: 'a' }), []);
      const move = {
        from: ['signed', 'sent'],
        to: 'delivered',
        at: afterNoon(1),
        facts: { payment: 'x' },
      } as const;
      expect(await ledger.move('a', move)).toBe(false);
      expect(await ledger.move('a', { ...move, from: [], durable: true })).toBe(false);
      expect(await ledger.move('b', move)).toBe(false);
      expect(await ledger.find({})).toEqual([aPurchase({ id: 'a' })]);
    });

    it('drops a payment when it is told to', async () => {
      await ledger.reserve(whole, []);
      await ledger.move('a', { from: ['reserved'], to: 'delivered', at: NOON, facts: { payment: null } });
      expect(await ledger.find({})).toEqual([{ ...whole, state: 'delivered', payment: null }]);
    });

    it('drops payments that nobody can use any more when the next purchase is reserved', async () => {
      for (const [id, seconds] of [
        ['over', 0n],
        ['last second', 1n],
      ] as const) {
        await ledger.reserve({ ...payable(id, NOON_SECONDS + seconds), createdAt: afterNoon(-60_000) }, []);
        await ledger.move(id, { from: ['reserved'], to: 'unknown', at: NOON });
      }
      const early = { createdAt: afterNoon(-60_000) };
      await ledger.reserve({ ...payable('for ever', 2n ** 256n - 1n), ...early }, []);
      expect(await paymentOf('over')).toBe('eyJ4NDAyVmVyc2lvbiI6Mn0=');
      await ledger.reserve(aPurchase({ id: 'next', createdAt: afterNoon(999) }), []);
      expect(await Promise.all(['over', 'last second', 'for ever'].map(paymentOf))).toEqual([
        null,
        'eyJ4NDAyVmVyc2lvbiI6Mn0=',
        'eyJ4NDAyVmVyc2lvbiI6Mn0=',
      ]);
      expect((await ledger.find({ id: 'for ever' }))[0]?.authorization?.validBefore).toBe(2n ** 256n - 1n);
    });

    describe('finds', () => {
      const witnessed = (checkedAt: string) => ({ ...A_WITNESS, checkedAt });
      beforeEach(async () => {
        const made = [
          aPurchase({ id: 'a', createdAt: afterNoon(2) }),
          aPurchase({
            id: 'b',
            createdAt: afterNoon(1),
            request: 'other',
            witness: witnessed('2026-11-18T10:00:00Z'),
          }),
          aPurchase({ id: 'c', createdAt: afterNoon(3), endpoint: 'other', termsSha256: 'other' }),
          aPurchase({ id: 'd', createdAt: afterNoon(2), witness: witnessed('2026-11-18T12:30:00+02:00') }),
          aPurchase({ id: 'e', createdAt: afterNoon(0), witness: witnessed('yesterday') }),
        ];
        for (const purchase of made) await ledger.reserve(purchase, []);
        await ledger.move('c', { from: ['reserved'], to: 'delivered', at: NOON });
        await ledger.move('e', { from: ['reserved'], to: 'signed', at: NOON });
      });

      it.each<[string, PurchaseQuery, string]>([
        ['all, newest first, and the last of equals first', {}, 'cdabe'],
        ['so many', { limit: 2 }, 'cd'],
        ['none', { limit: 0 }, ''],
        ['by id', { id: 'b' }, 'b'],
        ['an id that nobody has', { id: "'" }, ''],
        ['by state', { state: 'reserved' }, 'dab'],
        ['what is open', { state: 'open' }, 'dabe'],
        ['what was bought', { state: 'bought' }, 'c'],
        ['by key', { key: 'key of a' }, 'a'],
        ['a key that nobody has', { key: 'a' }, ''],
        ['by key and request', { key: 'key of b', request: 'other' }, 'b'],
        ['a key of another request', { key: 'key of a', request: 'other' }, ''],
        ['by request', { request: 'other' }, 'b'],
        ['by endpoint', { endpoint: 'endpoint' }, 'dabe'],
        ['by terms', { termsSha256: 'other' }, 'c'],
        ['what was witnessed since', { witnessedSince: new Date('2026-11-18T10:00:00Z') }, 'db'],
        ['what was witnessed after that', { witnessedSince: new Date('2026-11-18T10:00:00.001Z') }, 'd'],
        [
          'by all of them',
          { id: 'd', state: 'open', request: 'request', endpoint: 'endpoint', termsSha256: 'terms' },
          'd',
        ],
        ['by all of them but one', { id: 'd', state: 'open', request: 'request', endpoint: 'other' }, ''],
      ])('%s', async (_, query, ids) => {
        expect((await ledger.find(query)).map(({ id }) => id).join('')).toBe(ids);
      });

      it('the newest of a key, however many others the same request has', async () => {
        const bought = async (id: string, key: string, second: number) => {
          await ledger.reserve(aPurchase({ id, key, createdAt: afterNoon(second * 1_000) }), []);
          await ledger.move(id, { from: ['reserved'], to: 'delivered', at: NOON });
        };
        await bought('first', 'order', 1);
        await bought('second', 'order', 2);
        for (let n = 0; n < 101; n += 1) await bought(`more ${n}`, `more ${n}`, 3 + n / 1_000);
        const query = { key: 'order', request: 'request', state: 'bought', limit: 1 } as const;
        expect(await ledger.find(query)).toMatchObject([{ id: 'second' }]);
      });

      it('a hundred when no number is given', async () => {
        for (let n = 0; n < 100; n += 1) await ledger.reserve(aPurchase({ id: `more ${n}` }), []);
        expect(await ledger.find({})).toHaveLength(100);
        expect(await ledger.find({ limit: 1_000_000 })).toHaveLength(105);
      });

      it.each([-1, 1.5, Number.NaN])('nothing when the number is %s', async (limit) => {
        await expect(ledger.find({ limit })).rejects.toThrow('the limit of a search is a whole number');
      });
    });

    it('is frozen and thawed for every handle', async () => {
      const other = place.open();
      expect(await other.frozen()).toBe(false);
      for (const frozen of [true, true, false, false]) {
        await ledger.freeze(frozen);
        expect(await other.frozen()).toBe(frozen);
      }
    });

    it.each([
      ['more money than it can count', { amount: microUsd(2n ** 53n) }, /ledger.*2\^53/],
      ['a time that is none', { createdAt: new Date('never') }, /a time that is none$/],
    ])('refuses %s', async (_, changed, message) => {
      const fault = await faultOf(ledger.reserve(aPurchase({ id: 'a', ...changed }), []));
      expect(fault.message).toMatch(message);
      expect(await ledger.find({})).toEqual([]);
    });

    it('never leaves out a purchase that it cannot read', async () => {
      await ledger.reserve(aPurchase({ id: 'a' }), []);
      if (!(await place.damage('a'))) return;
      for (const call of [
        () => ledger.open('key of a'),
        () => ledger.find({}),
        () => ledger.reserve(aPurchase({ id: 'b', key: 'key of a' }), []),
      ])
        expect((await faultOf(call())).message).toMatch(/^the ledger .*: a purchase in it cannot be read$/);
      expect(await ledger.find({ id: 'b' })).toEqual([]);
    });

    it('rejects in our words when its store cannot be used', async () => {
      const broken = place.broken();
      if (broken === null) return;
      for (const call of everyCall(broken)) {
        const { message, cause } = await faultOf(call());
        expect(message).toMatch(/^the ledger .*: (the file cannot be opened|the server does not answer)$/);
        expect(message).not.toContain('secret');
        expect(cause).toBeInstanceOf(Error);
      }
    });

    it('rejects when it is closed, and may be closed twice', async () => {
      await ledger.reserve(aPurchase({ id: 'a' }), []);
      await ledger.close();
      await ledger.close();
      for (const call of [...everyCall(ledger), () => ledger.frozen(), () => ledger.freeze(true)])
        expect((await faultOf(call())).message).toMatch(/ledger.* is closed$/);
    });
  });
}

function everyCall(ledger: Ledger): (() => Promise<unknown>)[] {
  return [
    () => ledger.reserve(aPurchase({ id: 'a' }), []),
    () => ledger.move('a', { from: ['reserved'], to: 'signed', at: NOON, durable: true }),
    () => ledger.open('key'),
    () => ledger.find({}),
  ];
}

async function faultOf(call: Promise<unknown>): Promise<LedgerFault> {
  const fault: unknown = await call.catch((thrown: unknown) => thrown);
  if (!(fault instanceof LedgerFault)) throw new Error('no fault of a ledger', { cause: fault });
  return fault;
}
