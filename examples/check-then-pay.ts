/**
 * Ask before you pay, from the first free question to the goods:
 *
 * 1. a free check of a seller, which everybody has once a day;
 * 2. the next check, bought for a cent by a stock x402 client;
 * 3. the seller, paid exactly what the check approved and nothing else;
 * 4. a seller who changed the payee: not paid.
 */
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import { z } from 'zod';
import { lookAtChain } from './look-at-chain.ts';
import { buyerKey, sellerNamed, withSandbox } from './with-sandbox.ts';

const hash = z.templateLiteral(['0x', z.string()]);

/** What a check answers to everybody. The hash is there only when the verdict is `pay`. */
const check = z.object({
  verdict: z.enum(['pay', 'skip', 'recheck']),
  reason: z.string(),
  payment_terms_sha256: z.string().nullable(),
});
/** A paid check also says what exactly may be signed. */
const paidCheck = check.extend({
  payment: z
    .object({ amount: z.object({ atomic: z.string() }), pay_to: z.string(), deadline: z.iso.datetime() })
    .nullable(),
  access: z.object({ tier: z.literal('paid'), charged_usd: z.string(), tx: hash, payer: z.string() }),
});

await withSandbox(async (sandbox) => {
  const { balanceOf, transferOf } = lookAtChain(sandbox);
  const buyer = privateKeyToAccount(buyerKey(sandbox, 0));
  const scheme = new ExactEvmScheme(buyer);
  // The free check belongs to an address and the name a caller goes by; a new name makes the example repeatable.
  const client = `example-${randomUUID()}`;
  const checkUrl = (parameters: Record<string, string>) =>
    `${sandbox.base_url}/v1/products/endpoint-spot-check?${new URLSearchParams({ client, ...parameters })}`;

  // 1. A listing says that this seller converts money for two cents. Is that what it asks?
  const url = `${sellerNamed(sandbox, 'currency')}?amount=100&from=USD&to=EUR`;
  const question = checkUrl({ url, claimed_price: '0.02' });
  const free = check.parse(await json(await fetch(question)));
  console.log(`1. free check: ${free.verdict}. ${free.reason}`);
  assert.equal(free.verdict, 'pay');

  // 2. The free check of the day is used up: the same question is a 402 now, and the client pays it by itself.
  assert.equal((await fetch(question)).status, 402);
  const before = await balanceOf(buyer.address);
  const stockClient = new x402Client().register('eip155:8453', scheme);
  const bought = paidCheck.parse(await json(await wrapFetchWithPayment(fetch, stockClient)(question)));
  const { access, payment } = bought;
  console.log(
    `2. paid check: ${bought.verdict} (${bought.reason}), for ${access.charged_usd} USD, ${access.tx}`,
  );
  assert.equal(access.charged_usd, '0.01');
  assert.equal(access.payer, buyer.address);
  assert.equal(before - (await balanceOf(buyer.address)), 10_000n);
  assert.deepEqual(await transferOf(access.tx), {
    from: buyer.address,
    to: sandbox.pay_to,
    value: 10_000n,
  });

  // 3. A client that signs the approved terms and cannot sign anything else, whatever the seller asks for by now.
  assert.ok(payment !== null && bought.verdict === 'pay');
  assert.ok(new Date() < new Date(payment.deadline), 'the approval has not run out');
  assert.equal(bought.payment_terms_sha256, free.payment_terms_sha256);
  const carefulFetch = wrapFetchWithPayment(fetch, approvedOnly(scheme, bought.payment_terms_sha256));
  const beforeGoods = await balanceOf(buyer.address);
  const delivery = await carefulFetch(url);
  const goods = await json(delivery);
  console.log(`3. the seller delivered ${JSON.stringify(goods)}`);
  assert.deepEqual(goods, { amount: 100, from: 'USD', to: 'EUR', result: 92 });
  const settled = decodePaymentResponseHeader(delivery.headers.get('PAYMENT-RESPONSE') ?? '');
  assert.equal(settled.success, true);
  assert.equal(beforeGoods - (await balanceOf(buyer.address)), BigInt(payment.amount.atomic));
  assert.deepEqual(await transferOf(hash.parse(settled.transaction)), {
    from: buyer.address,
    to: payment.pay_to,
    value: 20_000n,
  });

  // 4. The listing named a payee, and the seller now names another. A dry run is free and enough to be warned.
  const swapped = sellerNamed(sandbox, 'swapped-payee');
  const beforeSwap = await balanceOf(buyer.address);
  const warning = check.parse(
    await json(await fetch(checkUrl({ url: swapped, pay_to: payment.pay_to, mode: 'dry-run' }))),
  );
  console.log(`4. ${warning.verdict}: ${warning.reason}`);
  assert.equal(warning.verdict, 'skip');
  // Even a buyer who did not read the verdict is safe: without approved terms the client signs nothing.
  await assert.rejects(
    wrapFetchWithPayment(fetch, approvedOnly(scheme, warning.payment_terms_sha256))(swapped),
    /filtered out by policies/,
  );
  // Nor do yesterday's approved terms help: the payee is part of them.
  await assert.rejects(carefulFetch(swapped), /filtered out by policies/);
  assert.equal(await balanceOf(buyer.address), beforeSwap);
  console.log('   nothing was signed, nothing was paid');
});

/** Of all that a seller offers, this client sees only the offer whose four terms have the approved hash. */
function approvedOnly(scheme: ExactEvmScheme, approved: string | null): x402Client {
  return new x402Client().register('eip155:8453', scheme).registerPolicy((_version, offers) =>
    offers.filter(({ network, asset, amount, payTo }) => {
      const terms = [network, asset, amount, payTo].join('|').toLowerCase();
      return createHash('sha256').update(terms).digest('hex') === approved;
    }),
  );
}

async function json(response: Response): Promise<unknown> {
  assert.equal(response.status, 200, `${response.url} answered ${response.status}`);
  return response.json();
}
