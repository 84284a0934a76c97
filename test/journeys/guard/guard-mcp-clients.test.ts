import { withX402Client } from 'agents/x402';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGuard, memoryLedger } from '../../../src/guard/index.ts';
import { guardTransport } from '../../../src/guard/mcp/guard-transport.ts';
import { CLIENTS, type Dialling, type Json, newCaller } from '../../support/mcp/mcp-clients.ts';
import { type SandboxProcess, startSandboxProcess } from '../../support/running/sandbox-process.ts';

let sandbox: SandboxProcess;
beforeAll(async () => {
  sandbox = await startSandboxProcess();
});
afterAll(() => sandbox.stop());

/** Uses up what is free, so that the next lookup costs. */
async function poorCaller(): Promise<string> {
  const caller = newCaller();
  for (let free = 5; free > 0; free -= 1) {
    await sandbox.get('/v1/lookup?task=weather', { 'x-forwarded-for': caller });
  }
  return caller;
}

describe.each(CLIENTS)("Cloudflare's withX402Client over the guard, around %s", (_, version, connect) => {
  it('pays our own server once for a tool, and is told why not again', async () => {
    const guard = createGuard({ ledger: memoryLedger(), limits: { perPayment: '0.05', perDay: '1' } });
    const wrap: NonNullable<Dialling['wrap']> = (transport) => guardTransport(transport, guard);
    const dialling = { url: `${sandbox.base}/mcp`, caller: await poorCaller(), wrap };
    const { client, version: agreed } = await connect(dialling);
    expect(agreed).toBe(version);
    const account = privateKeyToAccount(sandbox.buyerKey(0));
    // It takes the clients of both lines; here they are known by what they have in common.
    const paying: Json = withX402Client(client as Json, { account, maxPaymentValue: 10_000_000n });
    // From here on the client holds every result against the schema of its tool.
    await paying.listTools();
    const { result, taken } = await sandbox.takingsOf(async () => {
      const call = { name: 'lookup', arguments: { task: 'weather' } };
      const bought: Json = await paying.callTool(null, call);
      const again: Json = await paying.callTool(null, call);
      const dear: Json = await paying.callTool(null, { name: 'get_overnight_cos_pack', arguments: {} });
      return { bought, refused: [again, dear] };
    });
    expect(taken).toEqual([{ tx: result.bought.structuredContent.access.tx, units: 20_000n }]);
    expect(result.bought._meta['x402/payment-response'].transaction).toBe(taken[0]?.tx);
    expect(result.refused.map(({ isError, content: [{ text }] }) => [isError, text.split(':')[0]])).toEqual([
      [true, 'bought_already'],
      [true, 'over_payment_limit'],
    ]);
    await client.close();
  });
});
