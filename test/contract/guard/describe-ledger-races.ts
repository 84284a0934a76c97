import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '../../../src/guard/ledger/ledger.ts';
import {
  aDayLimit,
  afterNoon,
  aHostLimit,
  aPurchase,
  aTaskLimit,
  NOON,
} from '../../support/guarding/buyers/purchases.ts';
import type { LedgerPlace, NewLedgerPlace } from '../../support/guarding/ledger/ledger-places.ts';

const AT_ONCE = 50;

/** What every ledger promises to callers that come at the same time. */
export function describeLedgerRaces(name: string, newPlace: NewLedgerPlace): void {
  describe(`two handles on a ledger in ${name}`, () => {
    let place: LedgerPlace;
    let handles: readonly [Ledger, Ledger];

    beforeEach(async () => {
      place = await newPlace();
      handles = [place.open(), place.open()];
    });
    afterEach(() => place.remove());

    const atOnce = <T>(work: (ledger: Ledger, n: number) => Promise<T>) =>
      Promise.all(Array.from({ length: AT_ONCE }, (_, n) => work(handles[n % 2 === 0 ? 0 : 1], n)));

    it.each([
      ['the day', aDayLimit(70_000n)],
      ['a host', aHostLimit(70_000n)],
      ['a task', aTaskLimit(70_000n)],
    ])('never exceed the limit of %s', async (_, limit) => {
      const answers = await atOnce((ledger, n) =>
        ledger.reserve(aPurchase({ id: `p${n}`, task: 'task' }), [limit]),
      );
      expect(answers.filter(({ kind }) => kind === 'reserved')).toHaveLength(7);
      expect(answers.filter(({ kind }) => kind === 'over')).toHaveLength(43);
      expect(await handles[0].find({})).toHaveLength(7);
    });

    it('never give one key twice', async () => {
      const signed = await atOnce(async (ledger, n) => {
        const id = `p${n}`;
        const { kind } = await ledger.reserve(aPurchase({ id, key: 'key' }), []);
        return kind === 'reserved' && ledger.move(id, { from: ['reserved'], to: 'signed', at: NOON });
      });
      expect(signed.filter(Boolean)).toHaveLength(1);
      expect(await handles[1].find({ state: 'open' })).toHaveLength(1);
    });

    it('let one of many moves happen', async () => {
      await handles[0].reserve(aPurchase({ id: 'a' }), []);
      const moved = await atOnce((ledger, n) =>
        ledger.move('a', {
          from: ['reserved'],
          to: 'signed',
          at: afterNoon(n),
          facts: { payment: String(n) },
          durable: n % 3 === 0,
        }),
      );
      expect(moved.filter(Boolean)).toHaveLength(1);
      expect((await handles[1].find({}))[0]?.payment).toBe(String(moved.indexOf(true)));
    });
  });
}
