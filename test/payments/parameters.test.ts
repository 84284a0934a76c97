import { describe, expect, it } from 'vitest';
import { paymentHeader, signAuthorization } from '../../tools/signed-payment.ts';
import { checkOf, expectProblem, LOOKUP, LOOKUP_PAID, SPOT_CHECK } from '../support/asking.ts';
import { expectDelivered, expectRefused } from '../support/paying/paying-answers.ts';
import { withPayment } from '../support/paying/paying-buyer.ts';
import { buyerOf, chainOfTheFile, takingsOf } from '../support/paying/paying-chain.ts';
import { usePaying } from '../support/paying/paying-service.ts';
import { DOORS } from '../support/running/running-service.ts';

const chain = await chainOfTheFile();
const terms = { key: buyerOf(chain).key, to: chain.accounts.seller.address, value: 20_000n };

const BAD: [query: string, field: string][] = [
  ['', 'task'],
  ['?task=%2D%2D', 'task'],
  ['?task=weather&n=0', 'n'],
  ['?task=weather&n=21', 'n'],
  ['?task=weather&limit=5abc', 'limit'],
  ['?task=weather&max_price=NaN', 'max_price'],
  ['?task=weather&client=%00', 'client'],
  ['?task=weather&payer=0x12', 'payer'],
  ['?task=weather&task=weather', 'task'],
];

describe.each(DOORS)('bad parameters of a paid lookup, through the %s', (door) => {
  const paying = usePaying({ chain, door });

  it.each(BAD)('PAY-13: 400 with a good payment, which stays good: %s', async (query, field) => {
    const signed = await signAuthorization(terms);
    const sent = withPayment(paymentHeader(signed));
    const bad = await takingsOf(chain, () => paying.ask(LOOKUP_PAID + query, sent));
    expectProblem(bad.result, 400, 'bad_request', field);
    expect([bad.taken, bad.result.header('payment-response')]).toEqual([[], null]);
    // Verified first: the price comes before everything, also before a look at the parameters.
    expect(paying.facilitator.calls).toEqual({ verify: 1, settle: 0 });
    const good = await takingsOf(chain, () => paying.ask(`${LOOKUP_PAID}?task=weather`, sent));
    await expectDelivered(chain, { answer: good.result, signed }, '0.02');
    expect(good.taken).toHaveLength(1);
  });

  it.each(BAD)('PAY-14: 402 without a payment: %s', async (query) => {
    expectRefused(await paying.ask(LOOKUP_PAID + query), 'Payment required');
  });

  it('402 with a payment that is refused: who cannot pay learns nothing about parameters', async () => {
    const signed = await signAuthorization({ ...terms, key: chain.accounts.pauper.key });
    const sent = withPayment(paymentHeader(signed));
    expectRefused(await paying.ask(`${LOOKUP_PAID}?n=99`, sent), 'insufficient_funds');
  });
});

describe('bad parameters of what has a free share', () => {
  const paying = usePaying({ chain });

  it.each<[string, string, string]>([
    ['a lookup', `${LOOKUP}?task=weather&n=99`, 'n'],
    ['a check without a URL', SPOT_CHECK, 'url'],
    [
      'a check with a bad price',
      checkOf('http://seller.example/honest', { claimed_price: '1e9' }),
      'claimed_price',
    ],
  ])('400 before anything is verified: %s', async (_, path, field) => {
    const sent = withPayment(paymentHeader(await signAuthorization(terms)));
    const { result, taken } = await takingsOf(chain, () => paying.ask(path, sent));
    expectProblem(result, 400, 'bad_request', field);
    expect(taken).toEqual([]);
    expect(paying.facilitator.calls).toEqual({ verify: 0, settle: 0 });
  });

  it('a URL that is not fetched costs nothing (G31)', async () => {
    const sent = withPayment(paymentHeader(await signAuthorization({ ...terms, value: 10_000n })));
    const { result, taken } = await takingsOf(chain, () => paying.ask(checkOf('http://127.0.0.1/'), sent));
    expectProblem(result, 400, 'ssrf_blocked', 'url');
    expect(taken).toEqual([]);
    expect(paying.facilitator.calls).toEqual({ verify: 0, settle: 0 });
  });
});
