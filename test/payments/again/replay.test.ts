import { afterAll, describe, expect, it } from 'vitest';
import { paymentHeader, signAuthorization } from '../../../tools/signed-payment.ts';
import {
  asking,
  checkOf,
  expectProblem,
  LOOKUP,
  LOOKUP_PAID,
  PACK,
  sellerWith,
} from '../../support/asking.ts';
import { settlementIn } from '../../support/paying/paying-answers.ts';
import { buy, signFor, withPayment } from '../../support/paying/paying-buyer.ts';
import { buyerOf, chainOfTheFile, takingsOf } from '../../support/paying/paying-chain.ts';
import { ENCODINGS } from '../../support/paying/paying-encodings.ts';
import { startPaying, usePaying } from '../../support/paying/paying-service.ts';
import { DOORS, type Received, type Sent } from '../../support/running/running-service.ts';
import { newSqlitePlace } from '../../support/storing/stores.ts';

const chain = await chainOfTheFile();
const buyer = buyerOf(chain);
const TASK = `${LOOKUP_PAID}?task=weather`;
const DEAR = checkOf('http://seller.example/dear');
/** A check of this one costs as much as a lookup. */
const seller = sellerWith({ twenty: asking({ amount: '200000' }), other: asking({ amount: '200000' }) });
const TWENTY = checkOf('http://seller.example/twenty');

/** The bytes and the settlement are those of the first time. */
function expectSame(again: Received, first: Received): void {
  expect([again.status, again.text]).toEqual([200, first.text]);
  for (const name of ['payment-response', 'x-payment-response', 'content-type', 'cache-control']) {
    expect(again.header(name)).toBe(first.header(name));
  }
}

describe.each(DOORS)('the same payment for the same request, through the %s', (door) => {
  const paying = usePaying({ chain, door, seller });

  it.each<[string, string, Sent]>([
    ['a lookup', `${LOOKUP}?task=weather`, {}],
    ['a paid lookup', TASK, {}],
    ['a check', DEAR, {}],
    ['a check by POST', DEAR, { method: 'POST' }],
    ['the pack', PACK, {}],
  ])('PAY-01: brings the stored answer and costs nothing: %s', async (_, path, sent) => {
    const { result, taken } = await takingsOf(chain, async () => {
      const bought = await buy(paying.ask, path, { buyer, sent });
      for (let n = 0; n < 3; n += 1) expectSame(await paying.ask(path, bought.paid), bought.answer);
      return bought;
    });
    expect(settlementIn(result.answer).transaction).toBe(taken[0]?.tx);
    expect(taken).toHaveLength(1);
    expect(paying.facilitator.calls).toEqual({ verify: 1, settle: 1 });
  });

  it.each(ENCODINGS)('PAY-03: is the same payment %s', async (_, write) => {
    const { taken } = await takingsOf(chain, async () => {
      const { signed, answer } = await buy(paying.ask, TASK, { buyer });
      expectSame(await paying.ask(TASK, write(signed)), answer);
    });
    expect(taken).toHaveLength(1);
    expect(paying.facilitator.calls.settle).toBe(1);
  });

  it.each<[string, string, string, Sent]>([
    ['parameters in another order', `${LOOKUP_PAID}?task=weather&n=3`, `${LOOKUP_PAID}?n=3&task=weather`, {}],
    ['a slash at the end', TASK, `${LOOKUP_PAID}/?task=weather`, {}],
    ['a task in other letters', TASK, `${LOOKUP_PAID}?task=Weather`, {}],
    ['the other path of a lookup (G69)', TASK, `${LOOKUP}?task=weather`, {}],
    ['POST in place of GET (G69)', DEAR, DEAR, { method: 'POST' }],
    ['a URL in another spelling', DEAR, checkOf('HTTP://Seller.example:80/dear#top'), {}],
  ])('is the same request: %s', async (_, path, same, sent) => {
    const { taken } = await takingsOf(chain, async () => {
      const bought = await buy(paying.ask, path, { buyer });
      expectSame(await paying.ask(same, { ...bought.paid, ...sent }), bought.answer);
    });
    expect(taken).toHaveLength(1);
  });
});

describe('PAY-07: the same payment for something else', () => {
  const paying = usePaying({ chain, seller });

  it.each<[string, string, string]>([
    ['another task', TASK, `${LOOKUP_PAID}?task=web-search`],
    ['more of the same task', TASK, `${LOOKUP_PAID}?task=weather&n=20`],
    ['a lower price', TASK, `${LOOKUP_PAID}?task=weather&max_price=0.01`],
    ['a check that costs as much', TASK, TWENTY],
    ['the pack', TASK, PACK],
    ['a lookup that costs as much as the check', TWENTY, TASK],
    ['another URL', TWENTY, checkOf('http://seller.example/other')],
    ['the same URL by another method', TWENTY, checkOf('http://seller.example/twenty', { method: 'POST' })],
    ['another claim', TWENTY, checkOf('http://seller.example/twenty', { claimed_price: '0.3' })],
    ['a lookup, with the payment of a pack', PACK, TASK],
  ])('is refused: %s', async (_, path, other) => {
    const { taken } = await takingsOf(chain, async () => {
      const { paid, answer } = await buy(paying.ask, path, { buyer });
      expect(answer.status).toBe(200);
      const refused = await paying.ask(other, paid);
      expectProblem(refused, 409, 'payment_reused');
      expect(refused.header('payment-response')).toBeNull();
      expectSame(await paying.ask(path, paid), answer);
    });
    expect(taken).toHaveLength(1);
    expect(paying.facilitator.calls.settle).toBe(1);
  });

  it('also when the nonce was signed anew for it', async () => {
    const { taken } = await takingsOf(chain, async () => {
      const { signed } = await buy(paying.ask, TASK, { buyer });
      const { nonce } = signed.authorization;
      const again = await signFor(await paying.ask(DEAR), { buyer, signing: { nonce } });
      expectProblem(await paying.ask(DEAR, withPayment(paymentHeader(again))), 409, 'payment_reused');
    });
    expect(taken).toHaveLength(1);
    expect(paying.facilitator.calls.settle).toBe(1);
  });

  it('one nonce of two buyers is two payments', async () => {
    const { taken } = await takingsOf(chain, async () => {
      const { signed } = await buy(paying.ask, TASK, { buyer });
      const { nonce } = signed.authorization;
      const other = await buy(paying.ask, TASK, { buyer: buyerOf(chain, 1), signing: { nonce } });
      expect(other.answer.status).toBe(200);
    });
    expect(taken).toHaveLength(2);
  });

  it('a thief who saw a payment cannot use it with another signature', async () => {
    const { taken } = await takingsOf(chain, async () => {
      const { signed } = await buy(paying.ask, TASK, { buyer });
      const { authorization } = signed;
      const { signature } = await signAuthorization({
        key: chain.accounts.pauper.key,
        to: authorization.to,
        value: authorization.value,
        nonce: authorization.nonce,
      });
      const forged = { authorization, signature };
      const answer = await paying.ask(TASK, withPayment(paymentHeader(forged)));
      expectProblem(answer, 409, 'payment_reused');
    });
    expect(taken).toHaveLength(1);
  });
});

describe('PAY-05: a payment is remembered', () => {
  const places = newSqlitePlace();
  afterAll(async () => (await places).remove());

  it('after a restart', async () => {
    const place = { ...(await places), remove: async () => {} };
    const first = await startPaying({ chain, place });
    const bought = await buy(first.ask, TASK, { buyer });
    await first.close();
    const second = await startPaying({ chain, place });
    const { taken } = await takingsOf(chain, async () => {
      expectSame(await second.ask(TASK, bought.paid), bought.answer);
      expectProblem(await second.ask(`${TASK}&n=1`, bought.paid), 409, 'payment_reused');
    });
    expect([taken, second.facilitator.calls]).toEqual([[], { verify: 0, settle: 0 }]);
    await second.close();
  });

  it('for a day, though it can no longer be signed for', async () => {
    const paying = await startPaying({ chain, seller });
    const bought = await buy(paying.ask, DEAR, { buyer });
    paying.clock.aheadMs = 86_340_000;
    expectSame(await paying.ask(DEAR, bought.paid), bought.answer);
    paying.clock.aheadMs = 90_000_000;
    await paying.store.payments.prune(new Date(Date.now() + 3_600_000), 1_000);
    const { result, taken } = await takingsOf(chain, () => paying.ask(DEAR, bought.paid));
    expectProblem(result, 409, 'payment_reused');
    expect([taken, paying.facilitator.calls.settle]).toEqual([[], 1]);
    await paying.close();
  });
});
