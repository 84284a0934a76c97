import { describe, expect, it } from 'vitest';
import type { Answer, Line, Sent } from '../../lab/world/callers.ts';
import { mcpLine } from '../../lab/world/mcp-line.ts';

const LOOKUP = '/v1/lookup?task=weather';
const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64');

/** A line at whose other end a service says this. */
function saying(status: number, body: unknown) {
  const asked: { path: string; sent: Sent }[] = [];
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const line: Line = {
    async ask(base, path, sent = {}) {
      asked.push({ path, sent });
      return { status, text, from: base, header: () => null };
    },
    close: async () => {},
  };
  return { line: mcpLine(line), asked };
}

function result(told: object, isError = false, _meta?: object) {
  const content = [{ type: 'text', text: JSON.stringify(told) }];
  return { jsonrpc: '2.0', id: 1, result: { content, structuredContent: told, isError, _meta } };
}

const shown = ({ status, text, from }: Answer) => [status, text, from];

describe('a question that is asked through a tool', () => {
  it.each<[string, string, unknown]>([
    ['a lookup', LOOKUP, { name: 'lookup', arguments: { task: 'weather' } }],
    [
      'a lookup that is always paid',
      '/v1/lookup/paid?task=weather',
      { name: 'lookup', arguments: { task: 'weather' } },
    ],
    [
      'a check, whose URL has parameters of its own',
      '/v1/products/endpoint-spot-check?url=http%3A%2F%2F127.0.1.1%2Fa%3Fn%3D1%262',
      { name: 'endpoint_spot_check', arguments: { url: 'http://127.0.1.1/a?n=1&2' } },
    ],
    ['the pack', '/v1/products/overnight-cos-pack', { name: 'get_overnight_cos_pack', arguments: {} }],
  ])('%s', async (_, path, params) => {
    const { line, asked } = saying(200, result({}));
    await line.ask('http://127.0.0.1', path);
    expect(asked[0]?.path).toBe('/mcp');
    expect(JSON.parse(asked[0]?.sent.body ?? '')).toMatchObject({ method: 'tools/call', params });
  });

  it('carries a payment in the call and nowhere else, and the caller where it was', async () => {
    const { line, asked } = saying(200, result({}));
    const headers = { 'payment-signature': base64({ x402Version: 2 }), 'x-forwarded-for': '100.64.0.1' };
    await line.ask('http://127.0.0.1', LOOKUP, { headers });
    expect(JSON.parse(asked[0]?.sent.body ?? '').params._meta).toEqual({
      'x402/payment': { x402Version: 2 },
    });
    expect(asked[0]?.sent.headers).not.toHaveProperty('payment-signature');
    expect(asked[0]?.sent.headers).toMatchObject({ 'x-forwarded-for': '100.64.0.1' });
  });

  it('cannot be one that no tool answers', async () => {
    await expect(saying(200, {}).line.ask('http://127.0.0.1', '/v1/tasks')).rejects.toThrow('no tool');
  });
});

describe('what a tool says', () => {
  it.each<[string, number, unknown, number, string]>([
    ['an answer', 200, result({ a: 1 }), 200, '{"a":1}'],
    ['a price', 200, result({ accepts: [] }, true), 402, '{"accepts":[]}'],
    ['a problem', 200, result({ status: 409 }, true), 409, '{"status":409}'],
    ['a store that is away', 200, result({ status: 503 }, true), 503, '{"status":503}'],
    ['a refusal before any tool', 503, { status: 503 }, 503, '{"status":503}'],
    ['a failure without a word', 200, result({}, true), 500, '{}'],
    ['an error of the protocol', 200, { error: { code: -32_603 } }, 500, '{"error":{"code":-32603}}'],
    ['no JSON', 200, 'so sorry', 500, 'so sorry'],
  ])('%s', async (_, status, body, becomes, text) => {
    const answer = await saying(status, body).line.ask('http://127.0.0.1', LOOKUP);
    expect(shown(answer)).toEqual([becomes, text, 'http://127.0.0.1']);
  });

  it('has price and settlement where HTTP has them', async () => {
    const required = { x402Version: 2, accepts: [{ amount: '20000' }] };
    const price = await saying(200, result(required, true)).line.ask('http://127.0.0.1', LOOKUP);
    expect(price.header('PAYMENT-REQUIRED')).toBe(base64(required));
    const settled = result({ a: 1 }, false, { 'x402/payment-response': { success: true } });
    const paid = await saying(200, settled).line.ask('http://127.0.0.1', LOOKUP);
    expect(paid.header('payment-response')).toBe(base64({ success: true }));
    expect(price.header('payment-response')).toBeNull();
  });
});
