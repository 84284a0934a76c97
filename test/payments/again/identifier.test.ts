import { describe, expect, it } from 'vitest';
import { paymentHeader, type SignedAuthorization } from '../../../tools/signed-payment.ts';
import { checkOf, expectProblem, LOOKUP_PAID, PACK } from '../../support/asking.ts';
import { expectDelivered } from '../../support/paying/paying-answers.ts';
import { documentOf, encoded, signFor, withPayment } from '../../support/paying/paying-buyer.ts';
import { buyerOf, chainOfTheFile, takingsOf } from '../../support/paying/paying-chain.ts';
import { usePaying } from '../../support/paying/paying-service.ts';
import { DOORS, type Sent } from '../../support/running/running-service.ts';

const chain = await chainOfTheFile();
const buyer = buyerOf(chain);
const TASK = `${LOOKUP_PAID}?task=weather`;
const ids = { last: 0 };
const newId = () => `order_${String(++ids.last).padStart(16, '0')}`;

/** The payment with this extension. */
function extended(signed: SignedAuthorization, extension: unknown): Sent {
  const document = documentOf(paymentHeader(signed));
  return withPayment(encoded({ ...document, extensions: { 'payment-identifier': extension } }));
}

const named = (signed: SignedAuthorization, id: unknown) => extended(signed, { info: { id } });

describe.each(DOORS)('C-10: a name of the buyer for its payment (G67), through the %s', (door) => {
  const paying = usePaying({ chain, door });
  const sign = async (path = TASK) => signFor(await paying.ask(path), { buyer });

  it.each([TASK, checkOf('http://seller.example/dear'), PACK])(
    'is offered by the 402 of %s',
    async (path) => {
      const { json } = await paying.ask(path);
      expect(json.extensions['payment-identifier']).toMatchObject({ info: { required: false } });
    },
  );

  it('the same name and the same payment bring the stored answer', async () => {
    const [signed, id] = [await sign(), newId()];
    const { taken } = await takingsOf(chain, async () => {
      const first = await paying.ask(TASK, named(signed, id));
      await expectDelivered(chain, { answer: first, signed }, '0.02');
      for (const sent of [named(signed, id), named(signed, id)]) {
        const again = await paying.ask(TASK, sent);
        expect([again.status, again.text]).toEqual([200, first.text]);
        expect(again.header('payment-response')).toBe(first.header('payment-response'));
      }
    });
    expect(taken).toHaveLength(1);
    expect(paying.facilitator.calls.settle).toBe(1);
  });

  it.each<[string, string]>([
    ['the same request', TASK],
    ['another request', `${TASK}&n=1`],
    ['another route', checkOf('http://seller.example/dear')],
  ])('the same name and another payment are refused, for %s', async (_, path) => {
    const id = newId();
    const first = await paying.ask(TASK, named(await sign(), id));
    expect(first.status).toBe(200);
    const other = await sign(path);
    const { result, taken } = await takingsOf(chain, () => paying.ask(path, named(other, id)));
    expectProblem(result, 409, 'payment_reused');
    expect([taken, paying.facilitator.calls.settle]).toEqual([[], 1]);
    // Only the name was taken: the payment itself is good.
    const answer = await paying.ask(path, withPayment(paymentHeader(other)));
    expect(answer.status).toBe(200);
  });

  it('20 payments of one name at once: one is taken', async () => {
    const id = newId();
    const signed = await Promise.all(Array.from({ length: 20 }, () => sign()));
    const { result, taken } = await takingsOf(chain, () =>
      Promise.all(signed.map((one) => paying.ask(TASK, named(one, id)))),
    );
    const statuses = result.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
    expect(taken).toHaveLength(1);
  });

  it.each<[string, unknown]>([
    ['15 letters', 'a'.repeat(15)],
    ['129 letters', 'a'.repeat(129)],
    ['a blank', 'order 0123456789'],
    ['letters beyond ASCII', 'órder-0123456789'],
    ['a point', 'order.0123456789'],
    ['an end of line behind it', `${'a'.repeat(16)}\n`],
    ['nothing', ''],
    ['a number', 1_234_567_890_123_456],
    ['a list', ['order-0123456789']],
    ['an object', {}],
  ])('400 for one that is malformed: %s', async (_, id) => {
    const signed = await sign();
    const { result, taken } = await takingsOf(chain, () => paying.ask(TASK, named(signed, id)));
    expectProblem(result, 400, 'bad_request', 'payment-identifier');
    expect([taken, paying.facilitator.calls.settle]).toEqual([[], 0]);
    const answer = await paying.ask(TASK, withPayment(paymentHeader(signed)));
    await expectDelivered(chain, { answer, signed }, '0.02');
  });

  it.each<[string, string]>([
    ['16 letters', 'a'.repeat(16)],
    ['128 letters', 'b'.repeat(128)],
    ['all that may be in one', 'AZaz09_-AZaz09_-'],
  ])('200 for one that is not: %s', async (_, id) => {
    const signed = await sign();
    await expectDelivered(chain, { answer: await paying.ask(TASK, named(signed, id)), signed }, '0.02');
  });

  it.each<[string, string, number]>([
    ['refused', TASK, 402],
    ['not charged, since the target could not be heard', checkOf('http://seller.example/down'), 200],
    ['for bad parameters', `${LOOKUP_PAID}?n=99`, 400],
  ])('the name of a payment that was %s is free again', async (_, path, status) => {
    const id = newId();
    const payer = status === 402 ? chain.accounts.pauper : buyer;
    const unsold = await signFor(await paying.ask(path), { buyer: payer });
    expect((await paying.ask(path, named(unsold, id))).status).toBe(status);
    const signed = await sign();
    await expectDelivered(chain, { answer: await paying.ask(TASK, named(signed, id)), signed }, '0.02');
  });

  it('one that only repeats what the 402 offered is no name', async () => {
    const { json } = await paying.ask(TASK);
    for (let n = 0; n < 2; n += 1) {
      const signed = await sign();
      const document = documentOf(paymentHeader(signed));
      const sent = withPayment(
        encoded({ ...document, resource: json.resource, extensions: json.extensions }),
      );
      await expectDelivered(chain, { answer: await paying.ask(TASK, sent), signed }, '0.02');
    }
  });
});
