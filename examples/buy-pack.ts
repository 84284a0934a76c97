/**
 * Buying the pack for 9 USD. A stock x402 client pays at most 1 USD at a time, so its cap has to be raised; and whoever keeps
 * the signed payment can fetch the goods again for 24 hours, without paying again.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client, x402HTTPClient } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import { z } from 'zod';
import { lookAtChain } from './look-at-chain.ts';
import { buyerKey, withSandbox } from './with-sandbox.ts';

const texts = z.record(z.string(), z.string());
const pack = z.object({
  title: z.string(),
  files: z.object({
    prompts: texts,
    templates: texts,
    guide: z.object({ filename: z.string(), encoding: z.literal('base64'), data: z.string() }),
  }),
  access: z.object({
    charged_usd: z.literal('9'),
    settlement: z.object({ success: z.literal(true), transaction: z.templateLiteral(['0x', z.string()]) }),
  }),
});

await withSandbox(async (sandbox) => {
  const { balanceOf, transferOf } = lookAtChain(sandbox);
  const buyer = privateKeyToAccount(buyerKey(sandbox, 1));
  const scheme = new ExactEvmScheme(buyer);
  const start = await balanceOf(buyer.address);
  const packUrl = `${sandbox.base_url}/v1/products/overnight-cos-pack`;

  // A client as it comes out of the box buys a lookup for two cents, and refuses to sign 9 USD.
  const stockFetch = wrapFetchWithPayment(fetch, new x402Client().register('eip155:8453', scheme));
  const lookup = await stockFetch(`${sandbox.base_url}/v1/lookup/paid?task=weather`);
  assert.equal(lookup.status, 200);
  assert.equal(start - (await balanceOf(buyer.address)), 20_000n);
  await assert.rejects(stockFetch(packUrl), /rejected by spendControls\.maxAmountPerPayment/);
  assert.equal(start - (await balanceOf(buyer.address)), 20_000n);
  console.log('1. the stock client bought a lookup for 0.02 USD and refused the pack for 9 USD');

  // The cap belongs to the client, so this one is for the pack only. It keeps what it signs before it is sent: should the answer
  // get lost, the same payment gets it, while a new one would pay twice.
  const kept: Record<string, string> = {};
  const packClient = new x402Client()
    .register('eip155:8453', scheme)
    .setSpendControls({ maxAmountPerPayment: '$9' });
  packClient.onAfterPaymentCreation(async ({ paymentPayload }) => {
    Object.assign(kept, new x402HTTPClient(packClient).encodePaymentSignatureHeader(paymentPayload));
  });
  const delivery = await wrapFetchWithPayment(fetch, packClient)(packUrl);
  assert.equal(delivery.status, 200);
  const bytes = Buffer.from(await delivery.arrayBuffer());
  const { title, files, access } = pack.parse(JSON.parse(bytes.toString()));
  assert.deepEqual(await transferOf(access.settlement.transaction), {
    from: buyer.address,
    to: sandbox.pay_to,
    value: 9_000_000n,
  });
  console.log(`2. bought "${title}" for ${access.charged_usd} USD, ${access.settlement.transaction}`);

  // The files are inside the answer. basename: a name from the network must not leave the folder.
  const folder = mkdtempSync(join(tmpdir(), 'pack-'));
  try {
    for (const [name, text] of Object.entries({ ...files.prompts, ...files.templates })) {
      writeFileSync(join(folder, basename(name)), text);
      console.log(`   ${name}, ${text.length} characters`);
    }
    const guide = Buffer.from(files.guide.data, files.guide.encoding);
    writeFileSync(join(folder, basename(files.guide.filename)), guide);
    console.log(`   ${files.guide.filename}, ${guide.length} bytes`);
    assert.equal(guide.subarray(0, 5).toString(), '%PDF-');
    assert.match(guide.subarray(-8).toString(), /%%EOF/);
  } finally {
    rmSync(folder, { recursive: true });
  }

  // The same payment for the same request: the same bytes, and no second transfer.
  assert.deepEqual(Object.keys(kept), ['PAYMENT-SIGNATURE']);
  const again = await fetch(packUrl, { headers: kept });
  assert.equal(again.status, 200);
  assert.ok(bytes.equals(Buffer.from(await again.arrayBuffer())), 'the second answer is the first one');
  assert.equal(again.headers.get('PAYMENT-RESPONSE'), delivery.headers.get('PAYMENT-RESPONSE'));
  assert.equal(start - (await balanceOf(buyer.address)), 9_020_000n);
  console.log('3. fetched it again with the same payment: same bytes, no second transfer');
});
