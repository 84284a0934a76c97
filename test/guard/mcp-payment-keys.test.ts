import { describe, expect, it } from 'vitest';
import { ENTRY } from '../../tools/samples/challenge.ts';
import { codeOf, connect, guardWith, RESULT, sells, V1, v1, v2 } from '../support/guarding/mcp/paid-tools.ts';
import { requirementOf, signed } from '../support/guarding/mcp/scripted-mcp-client.ts';
import {
  type Call,
  type Json,
  type Scripted,
  scriptedServer,
} from '../support/guarding/mcp/scripted-mcp-server.ts';
import { LIMITS } from '../support/guarding/sellers/in-process-seller.ts';

const asText = (payment: Json) => Buffer.from(JSON.stringify(payment)).toString('base64');
const metaOf = (message: Json): Json => message.params._meta ?? {};
const nonceOf = (payment: Json) => payment.payload.authorization.nonce;

/** A server as `x402-mcp` makes it: version 1, and payments as text under a key with a dot. */
const dotted =
  (paid: (call: Call) => Scripted = () => ({ result: RESULT })) =>
  (call: Call): Scripted =>
    typeof metaOf(call.message)['x402.payment'] === 'string' ? paid(call) : asksInText;
const asksInText = {
  result: {
    isError: true,
    structuredContent: v1(V1),
    content: [{ type: 'text', text: JSON.stringify(v1(V1)) }],
  },
};

describe('a client that pays under "x402.payment"', () => {
  const buy = async ({ call }: ReturnType<typeof connect>, given: object = {}): Promise<Json> => {
    const required = requirementOf(await call('lookup', given));
    return call('lookup', given, { 'x402.payment': asText(await signed(required)), kept: 1 });
  };

  it('buys, and the server gets the payment under this key alone', async () => {
    const server = scriptedServer(dotted());
    const client = connect(server);
    expect((await buy(client)).result).toEqual(RESULT);
    const meta = metaOf(server.seen.at(-1));
    expect(meta).toEqual({ 'x402.payment': expect.any(String), kept: 1 });
    expect(await client.guard.purchases()).toMatchObject([
      { state: 'delivered', url: 'https://seller.example/mcp/tools/lookup', terms: { amount: '10000' } },
    ]);
  });

  it('is held to the limits', async () => {
    const server = scriptedServer(dotted());
    let now = new Date();
    const guard = guardWith({ limits: { ...LIMITS, perDay: '0.01' }, now: () => now });
    const client = connect(server, guard);
    expect((await buy(client, { a: 1 })).result).toEqual(RESULT);
    // What was only reserved no longer counts.
    now = new Date(now.getTime() + 121_000);
    expect(codeOf(await client.call('lookup', { a: 2 }))).toBe('over_day_limit');
  });

  it('cannot pay what the guard did not show', async () => {
    const server = scriptedServer(dotted());
    const payment = asText(await signed(v1(V1)));
    const { call, guard } = connect(server);
    expect(codeOf(await call('lookup', {}, { 'x402.payment': payment }))).toBe('not_approved');
    expect([server.seen, await guard.purchases()]).toEqual([[], []]);
  });

  it('keeps the settlement as evidence', async () => {
    const _meta = { 'x402.payment-response': { success: true, transaction: '0x01' } };
    const client = connect(scriptedServer(dotted(() => ({ result: { ...RESULT, _meta } }))));
    expect((await buy(client)).result._meta).toEqual(_meta);
    const [purchase] = await client.guard.purchases();
    expect(purchase?.answer?.paymentResponse).toBe('eyJzdWNjZXNzIjp0cnVlLCJ0cmFuc2FjdGlvbiI6IjB4MDEifQ==');
  });

  it('finds what may be signed in _meta["x402.error"], where an early server asks', async () => {
    const server = scriptedServer(() => ({
      result: { isError: true, content: [], _meta: { 'x402.error': v1(V1) } },
    }));
    const { result } = await connect(server).call('lookup');
    expect(result._meta['x402.error'].accepts).toEqual([{ ...V1, description: '' }]);
  });

  it('has its payment sent again by another transport, under both keys', async () => {
    const first = scriptedServer(dotted(() => ({ error: { code: -32_603, message: 'no' } })));
    const client = connect(first);
    await buy(client);
    const sent = metaOf(first.seen.at(-1))['x402.payment'];
    const second = scriptedServer(dotted());
    const again = await connect(second, client.guard).call('lookup');
    expect(again.result).toEqual(RESULT);
    expect(metaOf(second.seen.at(-1))).toEqual({ 'x402/payment': sent, 'x402.payment': sent });
  });
});

describe('payments under both keys', () => {
  it('are one when they are the same, and both are sent in the form of each', async () => {
    const server = scriptedServer(sells(v2(ENTRY)));
    const { call } = connect(server);
    const payment = await signed(requirementOf(await call('lookup')));
    const meta = { 'x402/payment': payment, 'x402.payment': asText(payment) };
    expect((await call('lookup', {}, meta)).result).toEqual(RESULT);
    const { 'x402/payment': object, 'x402.payment': text } = metaOf(server.seen.at(-1));
    expect(nonceOf(object)).toBe(nonceOf(payment));
    expect(JSON.parse(Buffer.from(text, 'base64').toString())).toEqual(object);
  });

  it('are refused when they differ', async () => {
    const server = scriptedServer(sells(v2(ENTRY)));
    const { call } = connect(server);
    const required = requirementOf(await call('lookup'));
    const meta = { 'x402/payment': await signed(required), 'x402.payment': await signed(required) };
    expect(codeOf(await call('lookup', {}, meta))).toBe('something_else_was_signed');
    expect(server.seen).toHaveLength(1);
  });
});

describe('a payment under a key that the guard does not know is not sent', () => {
  const KEYS: readonly (readonly [string, string])[] = [
    ['capitals', 'X402/Payment'],
    ['another separator', 'x402_payment'],
    ['a dash', 'x402-payment'],
    ['no separator', 'x402Payment'],
    ['a blank', 'x402 payment'],
    ['a prefix', 'org.x402/payment'],
    ['something behind it, as between agents', 'x402.payment.payload'],
  ];

  it.each(KEYS)('with a tool call: %s', async (_, key) => {
    const server = scriptedServer(sells(v2(ENTRY)));
    const { call } = connect(server);
    const payment = await signed(requirementOf(await call('lookup')));
    const answer = await call('lookup', {}, { [key]: payment });
    expect(codeOf(answer)).toBe('not_approved');
    expect(answer.result.content[0].text).toContain('x402/payment and x402.payment');
    // Beside one that would do it is refused as well.
    expect(codeOf(await call('lookup', {}, { 'x402/payment': payment, [key]: payment }))).toBe(
      'not_approved',
    );
    expect(server.seen).toHaveLength(1);
  });

  it.each(KEYS)('with another request, or in a batch: %s', async (_, key) => {
    const server = scriptedServer(sells(v2(ENTRY)));
    const { ask, transport, received } = connect(server);
    const params = { uri: 'a:b', _meta: { [key]: 'signed' } };
    const answer = await ask({ method: 'resources/read', params });
    expect(answer.error).toMatchObject({ code: -32_000, data: { code: 'not_approved' } });
    await transport.send([{ jsonrpc: '2.0', id: 'x', method: 'resources/read', params }]);
    expect(received.at(-1)).toMatchObject({ id: 'x', error: { data: { code: 'not_approved' } } });
    expect(server.seen).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['x402.payment', null],
    ['X402.Payment', null],
    ['x402/extension', {}],
    ['io.modelcontextprotocol/clientCapabilities', { extensions: { 'org.x402/payment': {} } }],
  ])('but a key without a payment is passed on: %s', async (key, value) => {
    const server = scriptedServer(() => ({ result: RESULT }));
    const { call } = connect(server);
    expect((await call('lookup', {}, { [key]: value })).result).toEqual(RESULT);
    expect(metaOf(server.seen[0])).toEqual({ [key]: value });
  });
});
