/**
 * Cloudflare's MCP client under the guard. The client pays by itself whatever a tool asks for; the guard stands below it, around
 * its transport, and decides what may be signed:
 *
 * 1. free calls pass through;
 * 2. a lookup is bought for two cents, once;
 * 3. the same call again is no second purchase;
 * 4. nine dollars are above the limit: nothing is signed, though the client would have paid.
 */
import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { withX402Client } from 'agents/x402';
import { privateKeyToAccount } from 'viem/accounts';
import { z } from 'zod';
// In your own program: from 'assay/guard' and 'assay/guard/mcp'. A ledger that lasts is sqliteLedger('purchases.db').
import { createGuard, memoryLedger } from '../src/guard/index.ts';
import { guardTransport } from '../src/guard/mcp/guard-transport.ts';
import { lookAtChain } from './look-at-chain.ts';
import { buyerKey, withSandbox } from './with-sandbox.ts';

const NINE_DOLLARS = 9_000_000n;
const LOOKUP = { name: 'lookup', arguments: { task: 'weather' } };

const access = z.union([
  z.object({ tier: z.literal('free') }),
  z.object({ tier: z.literal('paid'), tx: z.templateLiteral(['0x', z.string()]) }),
]);
const lookedUp = z.object({ structuredContent: z.object({ access }) });
const refused = z.object({
  isError: z.literal(true),
  content: z.tuple([z.object({ text: z.string() })]),
  _meta: z.object({ 'assay/refused': z.object({ code: z.string() }) }),
});

await withSandbox(async (sandbox) => {
  const { balanceOf, transferOf } = lookAtChain(sandbox);
  const account = privateKeyToAccount(buyerKey(sandbox, 3));
  const before = await balanceOf(account.address);

  const guard = createGuard({
    ledger: memoryLedger(),
    limits: { perPayment: '0.05', perDay: '1' },
    expect: () => ({ payTo: sandbox.pay_to }),
  });
  const client = new Client({ name: 'guarded-agent', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(`${sandbox.base_url}/mcp`));
  await client.connect(guardTransport(transport, guard));
  const agent = withX402Client(client, { account, network: 'base', maxPaymentValue: NINE_DOLLARS });

  // 1. and 2. Whatever is free comes first; then the client is asked for two cents, and pays.
  let bought = lookedUp.parse(await agent.callTool(null, LOOKUP)).structuredContent.access;
  for (let free = 1; bought.tier === 'free' && free <= 5; free += 1) {
    bought = lookedUp.parse(await agent.callTool(null, LOOKUP)).structuredContent.access;
  }
  assert.ok(bought.tier === 'paid');
  console.log(`bought a lookup, ${bought.tx}`);
  assert.deepEqual(await transferOf(bought.tx), {
    from: account.address,
    to: sandbox.pay_to,
    value: 20_000n,
  });

  // 3. An agent that repeats itself does not pay again.
  const again = refused.parse(await agent.callTool(null, LOOKUP));
  console.log(again.content[0].text);
  assert.equal(again._meta['assay/refused'].code, 'bought_already');

  // 4. The model may ask for anything; the limit is not up to it.
  const dear = refused.parse(await agent.callTool(null, { name: 'get_overnight_cos_pack', arguments: {} }));
  console.log(dear.content[0].text);
  assert.equal(dear._meta['assay/refused'].code, 'over_payment_limit');

  assert.equal(before - (await balanceOf(account.address)), 20_000n);
  const purchases = await guard.purchases();
  for (const { state, url, terms } of purchases) console.log(`${state}: ${url}, ${terms.amount} units`);
  assert.deepEqual(
    purchases.map(({ state }) => state),
    ['delivered'],
  );
  await client.close();
  await guard.close();
});
