import { describe, expect, it } from 'vitest';
import { paymentHeader, type SignedAuthorization, signAuthorization } from '../../tools/signed-payment.ts';
import { asking, checkOf, LOOKUP, PACK, sellerWith } from '../support/asking.ts';
import { callTool, modern, post, type Result } from '../support/mcp/mcp-asking.ts';
import { buy, documentOf } from '../support/paying/paying-buyer.ts';
import { buyerOf, chainOfTheFile, takingsOf } from '../support/paying/paying-chain.ts';
import { usePaying } from '../support/paying/paying-service.ts';
import { DOORS, freshAddress, type Sent } from '../support/running/running-service.ts';

const chain = await chainOfTheFile();
const buyer = buyerOf(chain);
const seller = sellerWith({ dear: asking({ amount: '5000000' }) });
const TARGET = 'http://seller.example/dear';
const EXTENSION = { 'org.x402/payment': {} };

interface Sold {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly path: string;
  readonly amount: string;
}

const SOLD: readonly Sold[] = [
  { tool: 'lookup', arguments: { task: 'weather' }, path: `${LOOKUP}?task=weather`, amount: '20000' },
  { tool: 'endpoint_spot_check', arguments: { url: TARGET }, path: checkOf(TARGET), amount: '250000' },
  { tool: 'get_overnight_cos_pack', arguments: {}, path: PACK, amount: '9000000' },
];

/** Every requirement is in all places where a client of today looks for it. */
function requirementIn(result: Result) {
  expect(result.isError).toBe(true);
  expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
  expect(result._meta['x402/error']).toEqual(result.structuredContent);
  return result.structuredContent;
}

async function sign(required: Result): Promise<SignedAuthorization> {
  const [{ payTo, amount }] = required.accepts;
  return signAuthorization({ key: buyer.key, to: payTo, value: BigInt(amount) });
}

describe.each(DOORS)('paying for a tool, through the %s', (door) => {
  const paying = usePaying({ chain, door, seller });
  const { ask } = paying;

  it.each(SOLD)(
    '$tool names its price, and its name, in every dialect',
    async ({ tool, arguments: given, amount }) => {
      const required = requirementIn(await callTool(ask, tool, { arguments: given }));
      expect(required).toMatchObject({
        x402Version: 2,
        error: 'Payment required',
        resource: { url: 'https://assay.example.org/mcp' },
        accepts: [{ scheme: 'exact', network: 'eip155:8453', amount }],
        extensions: {
          bazaar: { info: { input: { type: 'mcp', toolName: tool, transport: 'streamable-http' } } },
        },
      });
    },
  );

  it.each(SOLD)('$tool is paid for once, and HTTP has the same answer', async ({ tool, path, ...call }) => {
    const { result, taken } = await takingsOf(chain, async () => {
      const required = requirementIn(await callTool(ask, tool, call));
      const header = paymentHeader(await sign(required), { version: 2 });
      const meta = { 'x402/payment': documentOf(header) };
      const sent = { from: freshAddress() };
      const paid = await callTool(ask, tool, { ...call, meta, sent });
      expect(paid.isError).toBeUndefined();
      expect(JSON.parse(paid.content[0].text)).toEqual(paid.structuredContent);
      expect(await callTool(ask, tool, { ...call, meta, sent })).toEqual(paid);
      const stranger = await callTool(ask, tool, { ...call, meta });
      expect([stranger.isError, stranger.structuredContent.code]).toEqual([true, 'payment_delivered']);
      const overHttp = await ask(path, { ...sent, headers: { 'payment-signature': header } });
      expect([overHttp.status, overHttp.text]).toEqual([200, paid.content[0].text]);
      return paid;
    });
    expect(taken.map(({ value }) => String(value))).toEqual([call.amount]);
    expect(result._meta['x402/payment-response']).toMatchObject({
      success: true,
      transaction: taken[0]?.tx,
      network: 'eip155:8453',
    });
    expect(paying.facilitator.calls).toEqual({ verify: 1, settle: 1 });
  });

  it.each(SOLD)('$tool, bought over HTTP, comes again through the tool', async ({ tool, path, ...call }) => {
    const { taken } = await takingsOf(chain, async () => {
      const { paid, answer } = await buy(ask, path, { buyer });
      const meta = { 'x402/payment': paid.headers?.['payment-signature'] };
      const again = await callTool(ask, tool, { ...call, meta, sent: { from: paid.from ?? '' } });
      expect(again.content[0].text).toBe(answer.text);
    });
    expect(taken).toHaveLength(1);
  });

  it.each<[how: string, (header: string) => { meta?: Record<string, unknown>; sent?: Sent }]>([
    ['an object in _meta', (header) => ({ meta: { 'x402/payment': documentOf(header) } })],
    ['base64 in _meta', (header) => ({ meta: { 'x402/payment': header } })],
    ['PAYMENT-SIGNATURE', (header) => ({ sent: { headers: { 'payment-signature': header } } })],
    ['X-PAYMENT', (header) => ({ sent: { headers: { 'x-payment': header } } })],
    [
      'the same in _meta and in a header',
      (header) => ({ meta: { 'x402/payment': header }, sent: { headers: { 'payment-signature': header } } }),
    ],
  ])('takes a payment as %s', async (_, carry) => {
    const call = { arguments: { task: 'weather' } };
    const { taken } = await takingsOf(chain, async () => {
      const header = paymentHeader(await sign(requirementIn(await callTool(ask, 'lookup', call))), {
        version: 2,
      });
      const paid = await callTool(ask, 'lookup', { ...call, ...carry(header) });
      expect(paid.structuredContent.access.tier).toBe('paid');
    });
    expect(taken).toHaveLength(1);
  });

  it('charges neither of two different payments', async () => {
    const call = { arguments: { task: 'weather' } };
    const { taken } = await takingsOf(chain, async () => {
      const required = requirementIn(await callTool(ask, 'lookup', call));
      const [one, two] = [await sign(required), await sign(required)].map((signed) =>
        paymentHeader(signed, { version: 2 }),
      );
      const sent = { headers: { 'payment-signature': two ?? '' } };
      const refused = await callTool(ask, 'lookup', { ...call, meta: { 'x402/payment': one }, sent });
      expect([refused.isError, refused.structuredContent.code]).toEqual([true, 'bad_request']);
    });
    expect(taken).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['a number', 5],
    ['a list', [1]],
    ['an empty object', {}],
    ['no base64', '%%%'],
    ['too much', 'A'.repeat(20_000)],
  ])('names the price again for a payment that is none: %s', async (_, payment) => {
    const meta = { 'x402/payment': payment };
    const result = await callTool(ask, 'lookup', { arguments: { task: 'weather' }, meta });
    expect(requirementIn(result).error).toBe('payment_malformed');
    expect(paying.facilitator.calls.verify).toBe(0);
  });

  it('a payment for one tool is none for another', async () => {
    const { taken } = await takingsOf(chain, async () => {
      const { paid } = await buy(ask, `${LOOKUP}?task=weather`, { buyer });
      const meta = { 'x402/payment': paid.headers?.['payment-signature'] };
      const other = await callTool(ask, 'lookup', { arguments: { task: 'translation' }, meta });
      expect([other.isError, other.structuredContent.code]).toEqual([true, 'payment_reused']);
    });
    expect(taken).toHaveLength(1);
  });

  it('one payment never pays a batch', async () => {
    const message = (id: number) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'lookup', arguments: { task: 'weather' } },
    });
    const { taken } = await takingsOf(chain, async () => {
      const required = requirementIn(await callTool(ask, 'lookup', { arguments: { task: 'weather' } }));
      const header = paymentHeader(await sign(required), { version: 2 });
      const answer = await post(ask, [message(1), message(2)], { headers: { 'payment-signature': header } });
      expect([answer.status, answer.json.error.code]).toEqual([400, -32_600]);
      const alone = await post(ask, [message(1)], { headers: { 'x-payment': header } });
      expect(alone.status).toBe(400);
    });
    expect(taken).toEqual([]);
  });

  it('in a batch, the call that carries the payment is the one that is paid', async () => {
    const { taken } = await takingsOf(chain, async () => {
      const required = requirementIn(await callTool(ask, 'lookup', { arguments: { task: 'weather' } }));
      const _meta = { 'x402/payment': paymentHeader(await sign(required), { version: 2 }) };
      const calls = [
        { name: 'lookup', arguments: { task: 'weather' }, _meta },
        { name: 'lookup', arguments: { task: 'weather' } },
        // Something that is found: nothing is charged for a lookup without a match (gap G98).
        { name: 'lookup', arguments: { task: 'web-search' }, _meta },
      ];
      const { json } = await post(
        ask,
        calls.map((params, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params })),
      );
      const told = json.map(({ result }: Result) => result.isError ?? false);
      // Which of the two that carry it comes first is open; it is never both.
      expect(told.filter((isError: boolean) => !isError)).toHaveLength(1);
      expect(told[1]).toBe(true);
    });
    expect(taken).toHaveLength(1);
  });
});

describe('a client that announces the payment extension', () => {
  const paying = usePaying({ chain, seller });
  const lookup = { name: 'lookup', arguments: { task: 'weather' } };
  const announced = { 'io.modelcontextprotocol/clientCapabilities': { extensions: EXTENSION } };

  it('gets the requirement as a result of its own kind, and pays', async () => {
    const { result, taken } = await takingsOf(chain, async () => {
      const asked = await modern(paying.ask, 'tools/call', { params: lookup, meta: announced });
      expect([asked.status, asked.json.result.resultType]).toEqual([200, 'payment_required']);
      expect(asked.json.result.isError).toBeUndefined();
      const header = paymentHeader(await sign(asked.json.result.paymentRequired), { version: 2 });
      const meta = { ...announced, 'x402/payment': documentOf(header) };
      return modern(paying.ask, 'tools/call', { params: lookup, meta });
    });
    expect(result.json.result.structuredContent.access.tier).toBe('paid');
    expect(result.json.result._meta['x402/payment-response'].transaction).toBe(taken[0]?.tx);
  });

  it('one that does not gets it as every client understands it', async () => {
    const { json } = await modern(paying.ask, 'tools/call', { params: lookup });
    expect(requirementIn(json.result).accepts).toHaveLength(1);
    expect(json.result.resultType).toBe('complete');
  });
});
