import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { microUsd } from '../../../src/core/money/micro-usd.ts';
import type { Ledger, SpendingLimit } from '../../../src/guard/ledger/ledger.ts';
import type { Purchase, PurchaseState } from '../../../src/guard/ledger/purchase.ts';
import {
  aDayLimit,
  afterNoon,
  aHostLimit,
  aPurchase,
  aTaskLimit,
  aWholePurchase,
  NOON,
} from '../../support/guarding/buyers/purchases.ts';
import type { LedgerPlace, NewLedgerPlace } from '../../support/guarding/ledger/ledger-places.ts';

const OPEN: readonly PurchaseState[] = [
  'signed',
  'sent',
  'delivering',
  'empty',
  'failed',
  'asked_again',
  'unknown',
];
const CONCLUDED: readonly PurchaseState[] = ['delivered', 'paid_undelivered', 'never_settled', 'expired'];
const DAY_MS = 86_400_000;

/** What every ledger promises when a purchase is reserved and moves on. */
export function describeLedger(name: string, newPlace: NewLedgerPlace): void {
  describe(`a ledger in ${name}`, () => {
    let place: LedgerPlace;
    let ledger: Ledger;

    beforeEach(async () => {
      place = await newPlace();
      ledger = place.open();
    });
    afterEach(() => place.remove());

    const reserve = (changed: Partial<Purchase> & { id: string }, ...limits: SpendingLimit[]) =>
      ledger.reserve(aPurchase(changed), limits);
    const stateOf = async (id: string) => (await ledger.find({ id }))[0]?.state;
    /** Reserved, and then moved into this state. */
    const put = async (state: PurchaseState, changed: Partial<Purchase> & { id: string }) => {
      await reserve(changed);
      await ledger.move(changed.id, { from: ['reserved'], to: state, at: NOON });
    };

    it.each([
      ['the least that a purchase has', aPurchase({ id: 'a' })],
      ['all that a purchase can have', aWholePurchase({ id: 'a' })],
    ])('keeps %s', async (_, purchase) => {
      expect(await ledger.reserve(purchase, [])).toEqual({ kind: 'reserved' });
      expect(await place.open().open('key of a')).toEqual(purchase);
      const [found] = await ledger.find({});
      expect(JSON.stringify(found?.approved)).toBe(JSON.stringify(purchase.approved));
    });

    it('reserves, whatever state it is given', async () => {
      await reserve({ id: 'a', state: 'delivered' });
      expect(await stateOf('a')).toBe('reserved');
    });

    describe('and its limits', () => {
      it('take what fills them exactly and refuse a millionth more', async () => {
        await reserve({ id: 'a', amount: microUsd(60_000n) });
        const limit = aDayLimit(100_000n);
        expect(await reserve({ id: 'b', amount: microUsd(40_001n) }, limit)).toEqual({
          kind: 'over',
          limit,
          spent: 60_000n,
        });
        expect(await ledger.find({ id: 'b' })).toEqual([]);
        expect(await reserve({ id: 'c', amount: microUsd(40_000n) }, limit)).toEqual({ kind: 'reserved' });
      });

      it('are named by the first that is exceeded', async () => {
        await reserve({ id: 'a', task: 'task' });
        const [day, host, task] = [aDayLimit(20_000n), aHostLimit(15_000n), aTaskLimit(15_000n)];
        expect(await reserve({ id: 'b', task: 'task' }, day, task, host)).toMatchObject({ limit: task });
        expect(await reserve({ id: 'b', task: 'task' }, day, host, task)).toMatchObject({ limit: host });
      });

      it.each<[string, SpendingLimit, bigint]>([
        ['the day counts every host and task', aDayLimit(0n), 111_111n],
        ['a host', aHostLimit(0n), 100_111n],
        ['another host', aHostLimit(0n, 'other.example'), 11_000n],
        ['a task, for ever', aTaskLimit(0n), 1_001_010n],
        ['a host that has sold nothing', aHostLimit(0n, 'new.example'), 0n],
        ['a task without purchases', aTaskLimit(0n, "it's new"), 0n],
        ['a host and a task', { ...aHostLimit(0n), task: 'task' }, 10n],
      ])('count what is theirs: %s', async (_, limit, spent) => {
        const old = afterNoon(-DAY_MS - 1);
        await reserve({ id: 'f', amount: microUsd(1_000_000n), task: 'task', createdAt: old });
        await put('signed', { id: 'a', amount: microUsd(1n) });
        await put('delivered', { id: 'b', amount: microUsd(10n), task: 'task' });
        await put('unknown', { id: 'c', amount: microUsd(100n), task: 'other' });
        await put('sent', { id: 'd', amount: microUsd(1_000n), task: 'task', host: 'other.example' });
        await put('failed', { id: 'e', amount: microUsd(10_000n), host: 'other.example' });
        await put('paid_undelivered', { id: 'g', amount: microUsd(100_000n) });
        // A reservation of yesterday would have expired.
        await ledger.move('f', { from: ['reserved', 'expired'], to: 'delivered', at: NOON });
        expect(await reserve({ id: 'x', amount: microUsd(1n) }, limit)).toMatchObject({ spent });
      });

      it('count from the first moment of their window and nothing before it', async () => {
        const since = afterNoon(-DAY_MS);
        for (const [id, ms] of [
          ['before', -DAY_MS - 1],
          ['at', -DAY_MS],
        ] as const)
          await put('delivered', { id, createdAt: afterNoon(ms) });
        expect(await reserve({ id: 'x' }, aDayLimit(19_999n, since))).toMatchObject({ spent: 10_000n });
        expect(await reserve({ id: 'x' }, aDayLimit(20_000n, since))).toEqual({ kind: 'reserved' });
      });

      it('look at any window in any order, also when a clock goes back', async () => {
        await put('delivered', { id: 'old', createdAt: afterNoon(-3) });
        await put('delivered', { id: 'new', createdAt: afterNoon(-1) });
        const spentSince = async (ms: number) => {
          const reserved = await reserve({ id: 'x' }, aDayLimit(0n, afterNoon(ms)));
          return reserved.kind === 'over' ? reserved.spent : null;
        };
        expect([await spentSince(-2), await spentSince(-2)]).toEqual([10_000n, 10_000n]);
        expect([await spentSince(-3), await spentSince(-2)]).toEqual([20_000n, 10_000n]);
        await ledger.move('old', { from: ['delivered'], to: 'never_settled', at: NOON });
        expect([await spentSince(-1), await spentSince(-3)]).toEqual([10_000n, 10_000n]);
        expect(await spentSince(-1)).toBe(10_000n);
        await ledger.move('new', { from: ['delivered'], to: 'never_settled', at: NOON });
        expect(await spentSince(-1)).toBe(0n);
      });

      it.each<[PurchaseState, bigint]>([
        ['reserved', 10_000n],
        ...OPEN.map((state): [PurchaseState, bigint] => [state, 10_000n]),
        ['delivered', 10_000n],
        ['paid_undelivered', 10_000n],
        ['never_settled', 0n],
        ['expired', 0n],
      ])('know what may have been spent: %s', async (state, spent) => {
        await put(state, { id: 'a' });
        expect(await reserve({ id: 'x' }, aDayLimit(0n))).toMatchObject({ kind: 'over', spent });
      });

      it('count what was signed when that is less than what was held', async () => {
        await reserve({ id: 'a' });
        const facts = { amount: microUsd(4_000n) };
        await ledger.move('a', { from: ['reserved'], to: 'signed', at: NOON, facts });
        expect(await reserve({ id: 'x' }, aDayLimit(0n))).toMatchObject({ spent: 4_000n });
      });
    });

    describe('and its keys', () => {
      it.each(OPEN)('are held by a purchase that is %s', async (state) => {
        await put(state, { id: 'a', key: 'key' });
        const held = await ledger.open('key');
        expect(held).toMatchObject({ id: 'a', state });
        expect(await reserve({ id: 'b', key: 'key' })).toEqual({ kind: 'open', purchase: held });
        expect(await ledger.find({ id: 'b' })).toEqual([]);
      });

      it.each(CONCLUDED)('are free again when a purchase is %s', async (state) => {
        await put(state, { id: 'a', key: 'key' });
        expect(await ledger.open('key')).toBeNull();
        expect(await reserve({ id: 'b', key: 'key' })).toEqual({ kind: 'reserved' });
        expect(await ledger.open('key')).toMatchObject({ id: 'b' });
      });

      it('pass from one reservation to the next, which is not counted twice', async () => {
        await reserve({ id: 'a', key: 'key', createdAt: afterNoon(-1) });
        expect(await reserve({ id: 'b', key: 'key' }, aDayLimit(10_000n))).toEqual({ kind: 'reserved' });
        expect((await ledger.find({ id: 'a' }))[0]).toMatchObject({ state: 'expired', updatedAt: NOON });
        expect(await ledger.open('key')).toMatchObject({ id: 'b' });
        expect(await ledger.move('a', { from: ['reserved'], to: 'signed', at: NOON })).toBe(false);
      });

      it('pass on no money that another task or an earlier window has held', async () => {
        await reserve({ id: 'a', key: 'key', task: 'task', createdAt: afterNoon(-1) });
        await reserve({ id: 'b', task: 'other' });
        const next = (limit: SpendingLimit) => reserve({ id: 'c', key: 'key', task: 'other' }, limit);
        expect(await next(aTaskLimit(19_999n, 'other'))).toMatchObject({ spent: 10_000n });
        expect(await next(aDayLimit(19_999n, NOON))).toMatchObject({ spent: 10_000n });
      });

      it('stay with what is open while an older purchase gets its facts', async () => {
        await put('delivered', { id: 'a', key: 'key' });
        await put('signed', { id: 'b', key: 'key' });
        await ledger.move('a', { from: ['delivered'], to: 'paid_undelivered', at: NOON });
        expect(await ledger.open('key')).toMatchObject({ id: 'b' });
      });

      it('stay with a reservation when the next is over a limit', async () => {
        await reserve({ id: 'a', key: 'key' });
        const dear = { id: 'b', key: 'key', amount: microUsd(10_001n) };
        expect(await reserve(dear, aDayLimit(10_000n))).toMatchObject({ kind: 'over', spent: 0n });
        expect(await ledger.open('key')).toMatchObject({ id: 'a', state: 'reserved' });
      });

      it('cannot be opened twice', async () => {
        await put('delivered', { id: 'a', key: 'key' });
        await reserve({ id: 'b', key: 'key' });
        const back = ledger.move('a', { from: ['delivered'], to: 'unknown', at: NOON });
        await expect(back).rejects.toThrow(/ledger.* with this key$/);
        expect(await stateOf('a')).toBe('delivered');
      });
    });

    it('lets a reservation expire when it is older than two minutes, not before', async () => {
      await reserve({ id: 'older', createdAt: afterNoon(-120_001) });
      await reserve({ id: 'old', createdAt: afterNoon(-120_000) });
      await put('signed', { id: 'signed', payment: 'signed', createdAt: afterNoon(-999_999) });
      expect(await reserve({ id: 'x' }, aDayLimit(30_000n))).toEqual({ kind: 'reserved' });
      expect((await ledger.find({ id: 'older' }))[0]).toMatchObject({ state: 'expired', updatedAt: NOON });
      expect(await Promise.all(['old', 'signed'].map(stateOf))).toEqual(['reserved', 'signed']);
    });

    // In memory, only what is full forgets.
    it.skipIf(name === 'memory')('forgets what expired more than a day ago', async () => {
      await reserve({ id: 'old', createdAt: afterNoon(-2 * DAY_MS) });
      await put('delivered', { id: 'paid', createdAt: afterNoon(-2 * DAY_MS) });
      await reserve({ id: 'later', createdAt: afterNoon(-DAY_MS - 1) });
      expect(await stateOf('old')).toBe('expired');
      await reserve({ id: 'new' });
      expect((await ledger.find({})).map(({ id }) => id)).toEqual(['new', 'later', 'paid']);
    });

    it.each([
      ['more money than it can count', { facts: { amount: microUsd(2n ** 53n) } }, /2\^53/],
      ['a time that is none', { at: new Date('never') }, /a time that is none$/],
    ])('refuses a move with %s', async (_, changed, message) => {
      await reserve({ id: 'a' });
      const move = { from: ['reserved'], to: 'signed', at: NOON, ...changed } as const;
      await expect(ledger.move('a', move)).rejects.toThrow(message);
      expect(await stateOf('a')).toBe('reserved');
    });

    it('refuses a second purchase with an id it has', async () => {
      await put('delivered', { id: 'a', key: 'one' });
      await expect(reserve({ id: 'a', key: 'other' })).rejects.toThrow(/ledger.* with this id/);
      expect(await ledger.open('other')).toBeNull();
    });
  });
}
