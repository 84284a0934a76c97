import { ExactEvmScheme } from '@x402/evm';
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { checkOf, LOOKUP, LOOKUP_PAID, PACK } from '../support/asking.ts';
import { buyerOf, chainOfTheFile, takingsOf } from '../support/paying/paying-chain.ts';
import { usePaying } from '../support/paying/paying-service.ts';

const chain = await chainOfTheFile();

describe('the client of the x402 SDK, as it is sold', () => {
  const paying = usePaying({ chain, door: 'socket' });
  const buyer = buyerOf(chain);
  const client = new x402Client()
    .register('eip155:8453', new ExactEvmScheme(privateKeyToAccount(buyer.key)))
    .setSpendControls({ maxAmountPerPayment: '$10' });
  const fetchAndPay = wrapFetchWithPayment(fetch, client);

  it.each<[string, string, string, bigint]>([
    ['a lookup', `${LOOKUP}?task=weather`, 'GET', 20_000n],
    ['a paid lookup', `${LOOKUP_PAID}?task=weather`, 'GET', 20_000n],
    ['a check', checkOf('http://seller.example/dear'), 'GET', 100_000n],
    ['a check by POST', checkOf('http://seller.example/dear'), 'POST', 100_000n],
    ['the pack', PACK, 'GET', 9_000_000n],
    ['the pack by POST', PACK, 'POST', 9_000_000n],
  ])('pays for %s without a word', async (_, path, method, units) => {
    const { result, taken } = await takingsOf(chain, () =>
      fetchAndPay(`${paying.address}${path}`, { method }),
    );
    expect(result.status).toBe(200);
    const { access } = Object(await result.json());
    expect(taken).toEqual([{ from: buyer.address, value: units, tx: access.tx }]);
    const settled = decodePaymentResponseHeader(result.headers.get('payment-response') ?? '');
    expect(settled).toEqual({
      success: true,
      transaction: access.tx,
      network: 'eip155:8453',
      payer: buyer.address,
    });
  });

  it('pays twice for two calls: each has a nonce of its own', async () => {
    const { taken } = await takingsOf(chain, async () => {
      for (let n = 0; n < 2; n += 1) await fetchAndPay(`${paying.address}${LOOKUP_PAID}?task=weather`);
    });
    expect(taken).toHaveLength(2);
  });
});
