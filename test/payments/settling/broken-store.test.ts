import { afterEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../src/adapters/store/store.ts';
import type { PaymentLedger } from '../../../src/ports/payment-ledger.ts';
import { paymentHeader } from '../../../tools/signed-payment.ts';
import { checkOf, expectProblem, LOOKUP_PAID, PACK } from '../../support/asking.ts';
import { expectDelivered, expectNoInternals, GOODS } from '../../support/paying/paying-answers.ts';
import { signFor, withPayment } from '../../support/paying/paying-buyer.ts';
import { buyerOf, chainOfTheFile, takingsOf } from '../../support/paying/paying-chain.ts';
import { type PayingService, startPaying } from '../../support/paying/paying-service.ts';
import { DOORS } from '../../support/running/running-service.ts';
import { newSqlitePlace } from '../../support/storing/stores.ts';

const chain = await chainOfTheFile();
const buyer = buyerOf(chain);
const PATHS: [what: string, path: string, usd: string][] = [
  ['a lookup', `${LOOKUP_PAID}?task=weather`, '0.02'],
  ['a check', checkOf('http://seller.example/dear'), '0.1'],
  ['the pack', PACK, '9'],
];

/** A store whose ledger fails at one step while it is told to. */
function failingAt(store: Store, step: keyof PaymentLedger, state: { broken: boolean }): Store {
  const { payments } = store;
  const failing = (...args: never[]) => {
    if (state.broken) return Promise.reject(new Error('disk full in node_modules/kysely'));
    const real: (...given: never[]) => unknown = payments[step];
    return real(...args);
  };
  return { ...store, payments: { ...payments, [step]: failing } };
}

describe.each(DOORS)('the store fails while somebody pays, through the %s', (door) => {
  const open: PayingService[] = [];
  const start = async (step: keyof PaymentLedger, state: { broken: boolean }) => {
    const place = await newSqlitePlace();
    const store = failingAt(await place.open(), step, state);
    const paying = await startPaying({ chain, door, place, world: { store } });
    open.push(paying);
    return paying;
  };
  afterEach(async () => {
    await Promise.all(open.splice(0).map((paying) => paying.close()));
  });

  describe.each(PATHS)('%s', (_, path, usd) => {
    const failed = async (paying: PayingService, code: string) => {
      const signed = await signFor(await paying.ask(path), { buyer });
      const sent = withPayment(paymentHeader(signed));
      const { result, taken } = await takingsOf(chain, () => paying.ask(path, sent));
      expectProblem(result, 503, code);
      expect(result.header('retry-after')).toBe('5');
      expectNoInternals(result);
      expect(result.text).not.toMatch(GOODS);
      expect((await paying.ask('/v1/receipts?type=live')).json.receipts).toEqual([]);
      return { signed, sent, taken };
    };

    it.each<[keyof PaymentLedger, string]>([
      ['look', 'before anything is done'],
      ['claim', 'C-07: between verify and claim'],
    ])('%s: %s: 503, nothing is settled, and the payment stays good', async (step) => {
      const state = { broken: true };
      const paying = await start(step, state);
      const { signed, sent, taken } = await failed(paying, 'store_unavailable');
      expect([taken, paying.facilitator.calls.settle]).toEqual([[], 0]);
      state.broken = false;
      const healed = await takingsOf(chain, () => paying.ask(path, sent));
      await expectDelivered(chain, { answer: healed.result, signed }, usd);
      expect([healed.taken.length, paying.facilitator.calls.settle]).toEqual([1, 1]);
    });

    it('C-01: when the answer is to be stored: 503, nothing is settled, and the payment is good later', async () => {
      const state = { broken: true };
      const paying = await start('prepare', state);
      // It may have been stored although the store said otherwise, so nobody is told that nothing happened.
      const { signed, sent, taken } = await failed(paying, 'settlement_pending');
      expect([taken, paying.facilitator.calls.settle]).toEqual([[], 0]);
      state.broken = false;
      paying.clock.aheadMs = 60_000;
      const healed = await takingsOf(chain, () => paying.ask(path, sent));
      await expectDelivered(chain, { answer: healed.result, signed }, usd);
      expect([healed.taken.length, paying.facilitator.calls.settle]).toEqual([1, 1]);
    });

    it('C-02: after the money moved: 503, and the same payment brings the answer, for nothing more', async () => {
      const state = { broken: true };
      const paying = await start('settle', state);
      const { signed, sent, taken } = await failed(paying, 'settlement_pending');
      expect(taken).toHaveLength(1);
      state.broken = false;
      paying.clock.aheadMs = 60_000;
      const healed = await takingsOf(chain, async () => {
        expect(await paying.reconcile()).toEqual({ settled: 1, rejected: 0, open: 0 });
        return paying.ask(path, sent);
      });
      await expectDelivered(chain, { answer: healed.result, signed }, usd);
      expect([healed.taken, healed.result.json.access.tx]).toEqual([[], taken[0]?.tx]);
    });
  });

  it.each(PATHS)('C-07: the whole store goes away after verify: 503, no %s', async (_, path) => {
    const paying = await startPaying({ chain, door });
    open.push(paying);
    const signed = await signFor(await paying.ask(path), { buyer });
    paying.facilitator.afterVerify = () => paying.store.close();
    const { result, taken } = await takingsOf(chain, () =>
      paying.ask(path, withPayment(paymentHeader(signed))),
    );
    expectProblem(result, 503, 'store_unavailable');
    expect([taken, paying.facilitator.calls]).toEqual([[], { verify: 1, settle: 0 }]);
  });
});
