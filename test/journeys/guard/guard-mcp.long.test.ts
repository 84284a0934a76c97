import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { withX402Client } from 'agents/x402';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpFacilitator } from '../../../src/adapters/facilitator/http-facilitator.ts';
import { createGuard } from '../../../src/guard/index.ts';
import { sqliteLedger } from '../../../src/guard/ledger/sqlite-ledger.ts';
import { startFacilitatorServer } from '../../../src/sandbox/facilitator-server.ts';
import { projectFile } from '../../../tools/project-file.ts';
import { THIEF } from '../../../tools/samples/challenge.ts';
import { startMcpServer } from '../../support/guarding/mcp/hostile-mcp-server.ts';
import { LIMITS } from '../../support/guarding/sellers/in-process-seller.ts';
import { entryFor, toThief } from '../../support/guarding/sellers/seller-terms.ts';
import type { Json } from '../../support/mcp/mcp-clients.ts';
import { buyerOf, chainOfTheFile, takingsOf } from '../../support/paying/paying-chain.ts';

const program = (name: string) => projectFile(`test/support/guarding/mcp/${name}`);
const PROXY = program('guard-mcp-program.mjs');
const SELLER = program('paid-mcp-program.mjs');

const chain = await chainOfTheFile();
const payee = chain.accounts.seller.address;
const folder = mkdtempSync(join(tmpdir(), 'assay-guard-mcp-'));
const open: { facilitator: string; stops: (() => Promise<void>)[] } = { facilitator: '', stops: [] };

beforeAll(async () => {
  const server = await startFacilitatorServer({ rpcUrl: chain.rpcUrl, gasKey: chain.accounts.gas.key });
  open.facilitator = server.url;
  open.stops.push(server.stop);
});
afterAll(async () => {
  await Promise.all(open.stops.map((stop) => stop()));
  rmSync(folder, { recursive: true });
});

/** A policy with a ledger of its own. */
function policyFile(name: string, more: object = {}): { readonly path: string; readonly ledger: string } {
  const path = join(folder, `${name}.json`);
  const ledger = join(folder, `${name}.db`);
  writeFileSync(path, JSON.stringify({ ledger, limits: LIMITS, ...more }));
  return { path, ledger };
}

async function connect(words: readonly string[]): Promise<Json> {
  const client = new Client({ name: 'an-agent', version: '1' });
  const env = { PATH: process.env['PATH'] ?? '', GREETING: 'hello' };
  const args = [PROXY, ...words];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
  const account = privateKeyToAccount(buyerOf(chain).key);
  // Typed for the clients of the SDK's first line.
  return withX402Client(client as Json, { network: 'eip155:8453', account });
}

async function purchasesIn(ledger: string) {
  const guard = createGuard({ ledger: sqliteLedger(ledger), limits: LIMITS });
  const purchases = await guard.purchases();
  await guard.close();
  return purchases;
}

const seller = () => [process.execPath, SELLER, payee, open.facilitator];

describe('assay guard mcp -- COMMAND', () => {
  it('passes a free tool through, and the server has the environment of the proxy', async () => {
    const client = await connect([policyFile('free').path, ...seller()]);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }: Json) => name)).toEqual(['paid', 'free', 'leave']);
    const { content } = await client.callTool(null, { name: 'free', arguments: {} });
    expect(content).toEqual([{ type: 'text', text: 'hello' }]);
    await client.close();
  });

  it('buys once, and another process with the same policy knows it', async () => {
    const { path, ledger } = policyFile('buying');
    const call = { name: 'paid', arguments: { number: 21 } };
    const { result, taken } = await takingsOf(chain, async () => {
      const client = await connect([path, ...seller()]);
      const bought = await client.callTool(null, call);
      await client.close();
      const another = await connect([path, ...seller()]);
      const again = await another.callTool(null, call);
      await another.close();
      return { bought, again };
    });
    expect(result.bought.content).toEqual([{ type: 'text', text: '42' }]);
    expect(result.bought._meta['x402/payment-response'].transaction).toBe(taken[0]?.tx);
    expect(result.again).toMatchObject({
      isError: true,
      _meta: { 'assay/refused': { code: 'bought_already' } },
    });
    expect(taken.map(({ value }) => value)).toEqual([10_000n]);
    expect(await purchasesIn(ledger)).toMatchObject([
      {
        state: 'delivered',
        host: 'stdio.invalid',
        url: expect.stringMatching(/\/[0-9a-f]{8}\/tools\/paid$/),
      },
    ]);
  });

  it('refuses what the policy does not allow, and says so', async () => {
    const client = await connect([policyFile('strict', { hosts: ['seller.example'] }).path, ...seller()]);
    const refused = await client.callTool(null, { name: 'paid', arguments: { number: 1 } });
    expect([refused.isError, refused.content[0].text]).toEqual([
      true,
      'host_not_allowed: This host is not on the list of hosts that may be paid.',
    ]);
    await client.close();
  });

  it('ends with the server', async () => {
    const client = await connect([policyFile('leaving').path, ...seller()]);
    const closed = new Promise<void>((resolve) => {
      client.onclose = resolve;
    });
    await expect(client.callTool(null, { name: 'leave', arguments: {} })).rejects.toThrow();
    await closed;
  });

  it.each<[string, () => string[], RegExp]>([
    [
      'no policy',
      () => [join(folder, 'none.json'), ...seller()],
      /^assay: the policy file .* cannot be read\n$/,
    ],
    [
      'no server',
      () => [policyFile('alone').path, join(folder, 'none')],
      /^assay: the server .*none cannot be started: ENOENT, there is no such command\n$/,
    ],
  ])('does not start with %s', async (_, words, said) => {
    const child = spawn(process.execPath, [PROXY, ...words()]);
    const [out, told] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
    expect([child.exitCode ?? (await new Promise((resolve) => child.once('exit', resolve))), out]).toEqual([
      1,
      '',
    ]);
    expect(told).toMatch(said);
  });

  it('answers what it was asked before its input ended, with nothing else on standard output', async () => {
    const child = spawn(process.execPath, [PROXY, policyFile('ending').path, ...seller()]);
    const hello = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    };
    const messages = [
      { jsonrpc: '2.0', id: 1, method: 'initialize', params: hello },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'paid', arguments: { number: 1 } } },
    ];
    child.stdin.end(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
    const [out, told] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
    const answers = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers.map(({ id }) => id)).toEqual([1, 2]);
    expect(answers[1].result._meta['x402/error'].accepts).toMatchObject([{ payTo: payee, amount: '10000' }]);
    expect(told).toMatch(/^assay: tools are guarded as http:\/\/stdio\.invalid\/[0-9a-f]{8}\/tools\/NAME\n$/);
  });
});

describe('assay guard mcp --url', () => {
  it('pays the seller, and not the thief that stands before it', async () => {
    const facilitator = createHttpFacilitator({ url: open.facilitator, timeoutMs: 30_000 });
    const server = await startMcpServer(facilitator, {
      lookup: { shows: [toThief({ amount: '90000' }), entryFor(payee)], answers: () => 'goods' },
      stolen: { shows: [toThief()], answers: () => 'goods' },
    });
    open.stops.push(server.stop);
    const expected = { [`${server.url}/tools/stolen`]: { payTo: payee } };
    const { path, ledger } = policyFile('remote', { expect: expected });
    const { result, taken } = await takingsOf(chain, async () => {
      const client = await connect([path, '--url', server.url]);
      const bought = await client.callTool(null, { name: 'lookup', arguments: {} });
      const refused = await client.callTool(null, { name: 'stolen', arguments: {} });
      await client.close();
      return { bought, refused };
    });
    expect(result.bought.content).toEqual([{ type: 'text', text: '{"delivered":true}' }]);
    expect(result.refused._meta['assay/refused'].code).toBe('pay_to_mismatch');
    expect(JSON.stringify(result)).not.toContain(THIEF);
    expect(taken.map(({ value }) => value)).toEqual([10_000n]);
    expect(await purchasesIn(ledger)).toMatchObject([
      { url: `${server.url}/tools/lookup`, state: 'delivered' },
    ]);
  });

  it('says when the server gives no answer', async () => {
    const child = spawn(process.execPath, [
      PROXY,
      policyFile('nobody').path,
      '--url',
      'http://127.0.0.1:9/mcp',
    ]);
    child.stdin.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`);
    const out = await textOf(child.stdout);
    expect(JSON.parse(out)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32_000, message: 'The server gave no answer.' },
    });
  });
});
