import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { paymentHeader } from '../../../tools/signed-payment.ts';
import { checkOf, LOOKUP_PAID, PACK } from '../../support/asking.ts';
import { expectDelivered, GOODS, settlementIn } from '../../support/paying/paying-answers.ts';
import { buy, gate, signFor, withPayment } from '../../support/paying/paying-buyer.ts';
import { buyerOf, chainOfTheFile, drain, takingsOf } from '../../support/paying/paying-chain.ts';
import { type PayingService, startPaying, usePaying } from '../../support/paying/paying-service.ts';
import type { Received } from '../../support/running/running-service.ts';
import { newSqlitePlace, type Place } from '../../support/storing/stores.ts';

const chain = await chainOfTheFile();
const TASK = `${LOOKUP_PAID}?task=weather`;
const PATHS: [string, string][] = [
  ['a lookup', TASK],
  ['a check', checkOf('http://seller.example/dear')],
  ['the pack', PACK],
];
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** All got the same bytes and the same settlement, and exactly one transfer paid for them. */
function expectOneAnswer(answers: readonly Received[], taken: readonly { readonly tx: string }[]): void {
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  const settlements = answers.map((answer) => settlementIn(answer).transaction);
  expect(new Set(settlements)).toEqual(new Set(taken.map(({ tx }) => tx)));
  expect(taken).toHaveLength(1);
}

describe.each(['http', 'built-in'] as const)('PAY-02: one payment, 8 times at once (%s)', (through) => {
  const paying = usePaying({ chain, through });
  const buyer = buyerOf(chain, 0);

  it.each(PATHS)('%s: one answer, one transfer', async (_, path) => {
    const signed = await signFor(await paying.ask(path), { buyer });
    const sent = withPayment(paymentHeader(signed));
    const { result, taken } = await takingsOf(chain, () =>
      Promise.all(times(8, () => paying.ask(path, sent))),
    );
    expectOneAnswer(result, taken);
    expect(paying.facilitator.calls.settle).toBe(1);
    expect(paying.faults).toEqual([]);
  });

  it('in both versions and both headers: one answer, one transfer', async () => {
    const signed = await signFor(await paying.ask(TASK), { buyer });
    const { result, taken } = await takingsOf(chain, () =>
      Promise.all(
        times(8, (index) => {
          const header = paymentHeader(signed, { version: index % 2 === 0 ? 1 : 2 });
          return paying.ask(TASK, withPayment(header, { version: index % 4 < 2 ? 1 : 2 }));
        }),
      ),
    );
    expectOneAnswer(result, taken);
    expect(paying.facilitator.calls.settle).toBe(1);
  });

  it('one that was slow finds the answer of the one that overtook it', async () => {
    const signed = await signFor(await paying.ask(TASK), { buyer });
    const sent = withPayment(paymentHeader(signed));
    const held = gate();
    paying.facilitator.beforeVerify = async (nth) => (nth === 1 ? held.opened : undefined);
    const { result, taken } = await takingsOf(chain, async () => {
      const slow = paying.ask(TASK, sent);
      await vi.waitFor(() => expect(paying.facilitator.calls.verify).toBe(1), { timeout: 120_000 });
      const quick = await paying.ask(TASK, sent);
      // From here on the chain says of the slow one that it was used already.
      held.open();
      return [await slow, quick];
    });
    expectOneAnswer(result, taken);
    expect(paying.facilitator.calls).toEqual({ verify: 2, settle: 1 });
  });

  it('for 8 different requests: one is served, the others are refused', async () => {
    const signed = await signFor(await paying.ask(TASK), { buyer });
    const sent = withPayment(paymentHeader(signed));
    const { result, taken } = await takingsOf(chain, () =>
      Promise.all(times(8, (index) => paying.ask(`${TASK}&n=${index + 1}`, sent))),
    );
    const [served, ...more] = result.filter(({ status }) => status === 200);
    expect(more).toEqual([]);
    expect(served?.json.access.tx).toBe(taken[0]?.tx);
    const refused = result
      .filter(({ status }) => status !== 200)
      .map(({ status, json }) => [status, json.code]);
    expect(refused).toEqual(times(7, () => [409, 'payment_reused']));
    expect([taken.length, paying.facilitator.calls.settle]).toEqual([1, 1]);
  });

  it('with money for one of 12 payments: one is delivered, whatever was found good before', async () => {
    const poor = buyerOf(chain, through === 'http' ? 7 : 8);
    await drain(chain, poor, 20_000n);
    const required = await paying.ask(TASK);
    const signed = await Promise.all(times(12, () => signFor(required, { buyer: poor })));
    // All of them are verified before the first is settled.
    const held = gate();
    paying.facilitator.afterVerify = async () => held.opened;
    const { result, taken } = await takingsOf(chain, async () => {
      const asked = signed.map((one) => paying.ask(TASK, withPayment(paymentHeader(one))));
      await vi.waitFor(() => expect(paying.facilitator.calls.verify).toBe(12), { timeout: 120_000 });
      held.open();
      return Promise.all(asked);
    });
    const served = result.filter(({ status }) => status === 200);
    expect(served.map(({ json }) => json.access.tx)).toEqual(taken.map(({ tx }) => tx));
    expect(taken).toHaveLength(1);
    for (const { status, json, text } of result.filter((answer) => !served.includes(answer))) {
      // Refused, or not known while its transaction failed on the chain.
      expect(['402 insufficient_funds', '402 failed_on_chain', '503 settlement_pending']).toContain(
        `${status} ${json.code ?? json.error}`,
      );
      expect(text).not.toMatch(GOODS);
    }
  });

  it('PAY-16: 40 distinct payments are 40 transfers', async () => {
    const required = await paying.ask(TASK);
    const signed = await Promise.all(
      times(40, (index) => signFor(required, { buyer: buyerOf(chain, index % 7) })),
    );
    const { result, taken } = await takingsOf(chain, () =>
      Promise.all(
        signed.map((one, index) => {
          const version = index % 2 === 0 ? 1 : 2;
          return paying.ask(TASK, withPayment(paymentHeader(one, { version }), { version }));
        }),
      ),
    );
    for (const [index, answer] of result.entries()) {
      const one = signed[index];
      if (one !== undefined) await expectDelivered(chain, { answer, signed: one }, '0.02');
    }
    const named = new Set(result.map(({ json }) => json.access.tx));
    expect([named.size, taken.length]).toEqual([40, 40]);
    expect(named).toEqual(new Set(taken.map(({ tx }) => tx)));
    expect(paying.facilitator.calls).toEqual({ verify: 40, settle: 40 });
  });
});

describe('PAY-02: one payment at two services with one store', () => {
  const buyer = buyerOf(chain, 9);
  const services: PayingService[] = [];
  const places: Place[] = [];
  beforeAll(async () => {
    const place = await newSqlitePlace();
    places.push(place);
    const shared = { ...place, remove: async () => {} };
    services.push(await startPaying({ chain, place: shared }), await startPaying({ chain, place: shared }));
  });
  afterAll(async () => {
    await Promise.all(services.map((service) => service.close()));
    await Promise.all(places.map((place) => place.remove()));
  });
  const at = (index: number): PayingService => {
    const service = services[index % 2];
    if (service === undefined) throw new Error('the services are not started yet');
    return service;
  };
  const settles = () => at(0).facilitator.calls.settle + at(1).facilitator.calls.settle;

  it.each(PATHS)('%s, 8 times at once: one answer, one transfer', async (_, path) => {
    const before = settles();
    const signed = await signFor(await at(0).ask(path), { buyer });
    const sent = withPayment(paymentHeader(signed));
    const { result, taken } = await takingsOf(chain, () =>
      Promise.all(times(8, (index) => at(index).ask(path, sent))),
    );
    expectOneAnswer(result, taken);
    expect(settles() - before).toBe(1);
  });

  it('a price named by the one is paid at the other', async () => {
    const path = checkOf('http://seller.example/dear?two');
    const { required, signed } = await buy(at(0).ask, path, { buyer });
    const again = await signFor(required, { buyer });
    expect(again.authorization.value).toBe(signed.authorization.value);
    const answer = await at(1).ask(path, withPayment(paymentHeader(again)));
    await expectDelivered(chain, { answer, signed: again }, '0.1');
  });
});
