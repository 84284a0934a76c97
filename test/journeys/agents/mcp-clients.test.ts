import { ExactEvmScheme } from '@x402/evm';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { withX402Client } from 'agents/x402';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLIENTS, type Dialling, type Json, newCaller } from '../../support/mcp/mcp-clients.ts';
import { type SandboxProcess, startSandboxProcess } from '../../support/running/sandbox-process.ts';

const LOOKUP = '/v1/lookup';
const CHECK = '/v1/products/endpoint-spot-check';
let sandbox: SandboxProcess;
beforeAll(async () => {
  sandbox = await startSandboxProcess();
});
afterAll(() => sandbox.stop());

function dialling(caller = newCaller(), sent: string[] = []): Dialling {
  return { url: `${sandbox.base}/mcp`, caller, sent };
}

const http = (path: string, caller: string, headers: Readonly<Record<string, string>> = {}) =>
  sandbox.get(path, { 'x-forwarded-for': caller, ...headers });

/** Uses up what is free, so that the next one costs. */
async function poorCaller(): Promise<string> {
  const caller = newCaller();
  for (let free = 5; free > 0; free -= 1) await http(`${LOOKUP}?task=weather`, caller);
  await http(`${CHECK}?url=${sandbox.sellers['honest']}`, caller);
  return caller;
}

describe.each(CLIENTS)('%s', (_, version, connect) => {
  it(`agrees on ${version}, and is told in two sentences what this is for`, async () => {
    const { client, version: agreed } = await connect(dialling());
    expect(agreed).toBe(version);
    expect(client.getInstructions()).toMatch(/^Call endpoint_spot_check before paying/);
    await client.close();
  });

  it('calls every tool, and finds in each answer what its schema promises', async () => {
    const { client } = await connect(dialling());
    // From here on the client holds every result against the schema of its tool.
    const { tools } = await client.listTools();
    const results = new Map<string, Json>();
    const call = async (name: string, given: Record<string, unknown>) => {
      const result = await client.callTool({ name, arguments: given });
      expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
      results.set(name, result);
      return result.structuredContent;
    };
    const { results: services } = await call('search_catalog', { limit: 3 });
    expect(await call('get_service', { id: services[0].id })).toMatchObject({ id: services[0].id });
    expect(await call('lookup', { task: services[0].tasks[0] })).toMatchObject({
      matched: expect.any(Number),
    });
    const checked = await call('endpoint_spot_check', {
      url: sandbox.sellers['honest'],
      claimed_price: 0.01,
    });
    expect(checked).toMatchObject({ verdict: 'pay', access: { tier: 'free' } });
    expect(await call('get_receipt', { id: checked.receipt_id })).toMatchObject({ id: checked.receipt_id });
    expect(await call('get_overnight_cos_pack', {})).toMatchObject({ accepts: [{ amount: '9000000' }] });
    expect([...results.keys()].sort()).toEqual(tools.map(({ name }: Json) => name).sort());
    const failed = [...results].filter(([, result]) => result.isError === true).map(([name]) => name);
    expect(failed).toEqual(['get_overnight_cos_pack']);
    await client.close();
  });

  it('takes a price and a mistake for results, though they are not what the schema is about', async () => {
    const caller = await poorCaller();
    const { client } = await connect(dialling(caller));
    await client.listTools();
    const results = [
      await client.callTool({ name: 'lookup', arguments: { task: 'weather' } }),
      await client.callTool({ name: 'endpoint_spot_check', arguments: { url: sandbox.sellers['honest'] } }),
      await client.callTool({ name: 'endpoint_spot_check', arguments: { url: 'http://10.0.0.1/' } }),
      await client.callTool({ name: 'get_service', arguments: { id: 'nobody' } }),
      await client.callTool({ name: 'lookup', arguments: { tsak: 'weather' } }),
    ];
    expect(results.map(({ isError, structuredContent: said }) => [isError, said.error, said.code])).toEqual([
      [true, 'Payment required', undefined],
      [true, 'Payment required', undefined],
      [true, expect.any(String), 'ssrf_blocked'],
      [true, expect.any(String), 'not_found'],
      [true, undefined, 'bad_request'],
    ]);
    await client.close();
  });

  it('reads resources, gets prompts and has words completed', async () => {
    const { client } = await connect(dialling());
    const { resources } = await client.listResources();
    for (const { uri } of resources) {
      const { contents } = await client.readResource({ uri });
      expect(JSON.parse(contents[0].text)).toBeTypeOf('object');
    }
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }: Json) => uriTemplate)).toEqual(['assay://receipts/{id}']);
    await expect(client.readResource({ uri: 'assay://receipts/none' })).rejects.toThrow();
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }: Json) => name)).toEqual(['check_before_paying', 'pick_service']);
    const { messages } = await client.getPrompt({ name: 'pick_service', arguments: { task: 'weather' } });
    expect(messages[0].content.text).toContain('"weather"');
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'pick_service' },
      argument: { name: 'task', value: 'weath' },
    });
    expect(completion.values).toContain('weather');
    await client.close();
  });
});

const tokenIn = (bodies: readonly string[]): string | undefined =>
  bodies
    .map((body) => JSON.parse(body)?.params?._meta?.['x402/payment'])
    .findLast((token) => token !== undefined);

describe.each(CLIENTS)("Cloudflare's withX402Client around %s", (_, __, connect) => {
  it.each([
    ['a lookup', 'lookup', { task: 'weather' }, LOOKUP, 20_000n],
    ['a check', 'endpoint_spot_check', { url: 'raised-price' }, CHECK, 10_000n],
  ])(
    'pays once for %s, and HTTP has the same bytes for that payment',
    async (_name, tool, words, path, units) => {
      const given = 'url' in words ? { url: sandbox.sellers[words.url] ?? '' } : words;
      const caller = await poorCaller();
      const sent: string[] = [];
      const { client } = await connect(dialling(caller, sent));
      const account = privateKeyToAccount(sandbox.buyerKey(0));
      // It takes the clients of both lines; here they are known by what they have in common.
      const paying: Json = withX402Client(client as Json, { network: 'eip155:8453', account });
      await paying.listTools();
      const { result, taken } = await sandbox.takingsOf(async () => {
        const paid = await paying.callTool(null, { name: tool, arguments: given });
        const header = { 'payment-signature': tokenIn(sent) ?? '' };
        const again = await http(`${path}?${new URLSearchParams(given)}`, caller, header);
        expect([again.status, await again.text()]).toEqual([200, paid.content[0].text]);
        return paid;
      });
      expect(result.isError).toBeUndefined();
      expect(taken).toEqual([{ tx: result.structuredContent.access.tx, units }]);
      expect(result._meta['x402/payment-response']).toEqual({
        success: true,
        transaction: taken[0]?.tx,
        network: 'eip155:8453',
        payer: account.address,
      });
      await client.close();
    },
  );

  it('pays nothing that its owner declines', async () => {
    const caller = await poorCaller();
    const { client } = await connect(dialling(caller));
    const account = privateKeyToAccount(sandbox.buyerKey(0));
    // As above.
    const paying: Json = withX402Client(client as Json, { network: 'eip155:8453', account });
    const call = { name: 'lookup', arguments: { task: 'weather' } };
    const { result, taken } = await sandbox.takingsOf(async () => {
      const declined: Json = await paying.callTool(async () => false, call);
      return declined;
    });
    expect([result.isError, taken]).toEqual([true, []]);
    await client.close();
  });
});

describe('a payment that was made over HTTP', () => {
  it.each(CLIENTS)('brings the same bytes through %s, and is not charged again', async (_, __, connect) => {
    const caller = await poorCaller();
    const headers: string[] = [];
    const recording: typeof fetch = (input, init) => {
      const request = new Request(input, init);
      headers.push(request.headers.get('payment-signature') ?? '');
      return fetch(request);
    };
    const account = privateKeyToAccount(sandbox.buyerKey(1));
    const buyer = new x402Client().register('eip155:8453', new ExactEvmScheme(account));
    const { client } = await connect(dialling(caller));
    const { taken } = await sandbox.takingsOf(async () => {
      const url = `${sandbox.base}${LOOKUP}?task=weather`;
      const bought = await wrapFetchWithPayment(recording, buyer)(url, {
        headers: { 'x-forwarded-for': caller },
      });
      const text = await bought.text();
      const token = headers.at(-1) ?? '';
      const payment = JSON.parse(Buffer.from(token, 'base64').toString());
      // As an object and as the text of the header: clients send the one or the other.
      for (const sentAs of [payment, token]) {
        const call = { name: 'lookup', arguments: { task: 'weather' }, _meta: { 'x402/payment': sentAs } };
        const result = await client.callTool(call);
        expect([bought.status, result.content[0].text]).toEqual([200, text]);
      }
    });
    expect(taken).toHaveLength(1);
    await client.close();
  });
});

describe('a client that announces org.x402/payment', () => {
  it('gets a result of its own kind, pays, and gets the answer with its settlement', async () => {
    const caller = await poorCaller();
    const ask = async (meta: Record<string, unknown>): Promise<Json> => {
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'a-client', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': { extensions: { 'org.x402/payment': {} } },
        ...meta,
      };
      const params = { name: 'lookup', arguments: { task: 'weather' }, _meta };
      const response = await fetch(`${sandbox.base}/mcp`, {
        method: 'POST',
        body: JSON.stringify({ jsonrpc: '2.0', id: 'a', method: 'tools/call', params }),
        headers: {
          'content-type': 'application/json',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': 'lookup',
          'x-forwarded-for': caller,
        },
      });
      const { id, result } = Object(await response.json());
      expect([response.status, id]).toEqual([200, 'a']);
      return result;
    };
    const account = privateKeyToAccount(sandbox.buyerKey(2));
    const buyer = new x402Client().register('eip155:8453', new ExactEvmScheme(account));
    const { result, taken } = await sandbox.takingsOf(async () => {
      const required = await ask({});
      expect([required.resultType, required.isError]).toEqual(['payment_required', undefined]);
      const payment = await buyer.createPaymentPayload(required.paymentRequired);
      return ask({ 'x402/payment': payment });
    });
    expect(result).toMatchObject({
      resultType: 'complete',
      structuredContent: { access: { tier: 'paid', tx: taken[0]?.tx } },
      _meta: { 'x402/payment-response': { success: true, transaction: taken[0]?.tx } },
    });
    expect(taken.map(({ units }) => units)).toEqual([20_000n]);
  });
});
