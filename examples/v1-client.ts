/**
 * A client of x402 version 1, the older one, buys a lookup. All it has to add is the header `X-402-Version: 1`: such clients read
 * the requirement from the body and take no other form of it.
 */
import assert from 'node:assert/strict';
import { privateKeyToAccount } from 'viem/accounts';
import { createSigner, decodeXPaymentResponse, wrapFetchWithPayment } from 'x402-fetch';
import { z } from 'zod';
import { lookAtChain } from './look-at-chain.ts';
import { buyerKey, withSandbox } from './with-sandbox.ts';

const lookup = z.object({
  results: z.array(z.object({ name: z.string(), price_usd: z.string() })),
  access: z.object({ tier: z.literal('paid'), charged_usd: z.literal('0.02'), tx: z.string() }),
});

await withSandbox(async (sandbox) => {
  const { balanceOf, transferOf } = lookAtChain(sandbox);
  const key = buyerKey(sandbox, 2);
  const { address } = privateKeyToAccount(key);
  const before = await balanceOf(address);

  // The client as it comes: it pays at most 0.10 USD at a time, which is enough here.
  const payingFetch = wrapFetchWithPayment(fetch, await createSigner('base', key));
  const response = await payingFetch(`${sandbox.base_url}/v1/lookup/paid?task=weather`, {
    headers: { 'X-402-Version': '1' },
  });
  assert.equal(response.status, 200);
  const { results, access } = lookup.parse(await response.json());
  for (const { name, price_usd } of results) console.log(`${name}: ${price_usd} USD`);

  // The settlement is in the header of version 1, too, and the chain agrees with it.
  const settled = decodeXPaymentResponse(response.headers.get('X-PAYMENT-RESPONSE') ?? '');
  console.log(`paid ${access.charged_usd} USD, ${settled.transaction}`);
  assert.equal(settled.success, true);
  assert.equal(settled.payer, address);
  assert.equal(settled.transaction, access.tx);
  assert.deepEqual(await transferOf(settled.transaction), {
    from: address,
    to: sandbox.pay_to,
    value: 20_000n,
  });
  assert.equal(before - (await balanceOf(address)), 20_000n);
});
