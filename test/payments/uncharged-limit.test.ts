import { describe, expect, it } from 'vitest';
import { paymentHeader, signAuthorization } from '../../tools/signed-payment.ts';
import { checkOf, expectProblem } from '../support/asking.ts';
import { withPayment } from '../support/paying/paying-buyer.ts';
import { buyerOf, chainOfTheFile, takingsOf } from '../support/paying/paying-chain.ts';
import { usePaying } from '../support/paying/paying-service.ts';
import { DOORS } from '../support/running/running-service.ts';

const chain = await chainOfTheFile();
const DOWN = checkOf('http://seller.example/down');
const signed = async (index: number) =>
  paymentHeader(
    await signAuthorization({
      key: buyerOf(chain, index).key,
      to: chain.accounts.seller.address,
      value: 10_000n,
    }),
  );

describe.each(DOORS)('checks that cost nothing because the target is silent, through the %s', (door) => {
  const paying = usePaying({ chain, door, settings: { PRICED_PROBES_PER_HOUR: '3' } });

  it('are bounded by the hour and the payer, and cost nothing beyond that either (L16)', async () => {
    const header = await signed(0);
    const ask = (payment: string) => paying.ask(DOWN, withPayment(payment));
    const { result: last, taken } = await takingsOf(chain, async () => {
      for (let call = 0; call < 3; call += 1) {
        expect((await ask(header)).json.access).toMatchObject({ charged_usd: '0' });
      }
      return ask(header);
    });
    expectProblem(last, 429, 'quote_limit');
    expect(Number(last.header('retry-after'))).toBeGreaterThan(0);
    expect([taken, paying.facilitator.calls.settle]).toEqual([[], 0]);
    expect((await ask(await signed(1))).status).toBe(200);
  });

  it('two payments at once are a mistake, and nothing is probed for them', async () => {
    const before = paying.sellerRequests.length;
    const headers = { 'payment-signature': await signed(0), 'x-payment': await signed(0) };
    const answer = await paying.ask(checkOf('http://seller.example/honest?both'), { headers });
    expectProblem(answer, 400, 'bad_request', 'PAYMENT-SIGNATURE');
    expect(paying.sellerRequests.length).toBe(before);
  });
});
