import { describe, expect, it } from 'vitest';
import type { GuardOptions } from '../../src/guard/index.ts';
import { ENTRY, PAYEE, THIEF } from '../../tools/samples/challenge.ts';
import {
  codeOf,
  connect,
  everywhere,
  guardWith,
  INJECTION,
  type Place,
  RESULT,
  sells,
  V1,
  v1,
  v2,
} from '../support/guarding/mcp/paid-tools.ts';
import { requirementOf } from '../support/guarding/mcp/scripted-mcp-client.ts';
import { scriptedServer } from '../support/guarding/mcp/scripted-mcp-server.ts';

describe('a paid tool over the guard', () => {
  it('is paid once, and its result is that of the server', async () => {
    const server = scriptedServer(sells(v2(ENTRY)));
    const { buy, guard } = connect(server);
    expect(await buy('lookup', { task: 'weather' })).toEqual({ jsonrpc: '2.0', id: 2, result: RESULT });
    expect(server.payments()).toBe(1);
    expect(await guard.purchases()).toMatchObject([
      {
        state: 'delivered',
        url: 'https://seller.example/mcp/tools/lookup',
        host: 'seller.example',
        terms: { network: 'eip155:8453', amount: '10000', payTo: PAYEE },
        attempts: [{ status: 200 }],
      },
    ]);
  });

  it.each<[string, Place]>([
    [
      'structured content',
      (required) => ({ result: { isError: true, content: [], structuredContent: required } }),
    ],
    ['_meta', (required) => ({ result: { isError: true, content: [], _meta: { 'x402/error': required } } })],
    [
      'text',
      (required) => ({
        result: { isError: true, content: [{ type: 'text', text: JSON.stringify(required) }] },
      }),
    ],
    [
      'a result of its own kind',
      (required) => ({ result: { resultType: 'payment_required', content: [], paymentRequired: required } }),
    ],
    ['the data of an error', (required) => ({ error: { code: 402, message: INJECTION, data: required } })],
    ['all places of today', everywhere],
  ])('asks for payment in %s, and the thief is not in it', async (_, place) => {
    const required = v2({ ...ENTRY, payTo: THIEF, amount: '900000' }, ENTRY);
    const server = scriptedServer(({ payment }) => (payment === null ? place(required) : { result: RESULT }));
    const { call, buy } = connect(server, guardWith({ expect: () => ({ payTo: PAYEE }) }));
    const answer = await call('shown');
    expect(requirementOf(answer)).toEqual({
      x402Version: 2,
      error: 'Payment required',
      resource: { url: 'https://seller.example/mcp', mimeType: 'application/json' },
      accepts: [ENTRY],
    });
    expect(JSON.stringify(answer)).not.toContain(INJECTION);
    expect(JSON.stringify(answer)).not.toContain(THIEF);
    expect((await buy('lookup')).result).toEqual(RESULT);
    const [paid] = server.seen.slice(-1);
    expect(paid.params._meta['x402/payment'].payload.authorization.to).toBe(PAYEE);
  });

  it('is asked for in every place alike', async () => {
    const { call } = connect(scriptedServer(sells(v2(ENTRY))));
    const { result } = await call('lookup');
    expect(result.structuredContent.accepts).toEqual([ENTRY]);
    expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
    expect(result._meta).toEqual({ 'x402/error': result.structuredContent });
    expect(result.isError).toBe(true);
  });

  it('pays in version 1', async () => {
    const server = scriptedServer(sells(v1({ ...V1, payTo: THIEF, maxAmountRequired: '900000' }, V1)));
    const { buy, call } = connect(server);
    expect((await buy('lookup', {}, 'text')).result).toEqual(RESULT);
    expect(server.payments()).toBe(1);
    const { accepts } = requirementOf(await call('another'));
    expect(accepts).toEqual([{ ...V1, description: '' }]);
  });

  it.each<['object' | 'text']>([['object'], ['text']])(
    'sends the payment as the client did: %s',
    async (form) => {
      const server = scriptedServer(sells(v2(ENTRY)));
      await connect(server).buy('lookup', {}, form);
      const [paid] = server.seen.slice(-1);
      expect(typeof paid.params._meta['x402/payment']).toBe(form === 'text' ? 'string' : 'object');
    },
  );

  it('signs for at most 15 minutes, and the seller gets its own entry back', async () => {
    const year = { ...ENTRY, maxTimeoutSeconds: 31_536_000 };
    const server = scriptedServer(sells(v2(year)));
    const { call, buy } = connect(server);
    expect(requirementOf(await call('shown')).accepts[0].maxTimeoutSeconds).toBe(900);
    await buy('lookup');
    expect(server.seen.at(-1).params._meta['x402/payment'].accepted).toEqual(year);
  });

  it.each<[string, object, Partial<GuardOptions>, string]>([
    [
      'only a thief asks',
      v2({ ...ENTRY, payTo: THIEF }),
      { expect: () => ({ payTo: PAYEE }) },
      'pay_to_mismatch',
    ],
    ['the price is above the limit', v2({ ...ENTRY, amount: '2000000' }), {}, 'over_payment_limit'],
    ['the host is not allowed', v2(ENTRY), { hosts: ['other.example'] }, 'host_not_allowed'],
    ['nothing can be signed', v2(), {}, 'bad_challenge'],
    ['a service would have to look', v2(ENTRY), { ask: 'http://127.0.0.1:9' }, 'service_unavailable'],
    ['there is too much to read', v2(...Array.from({ length: 2_000 }, () => ENTRY)), {}, 'bad_challenge'],
  ])('is refused when %s', async (_, required, options, code) => {
    const server = scriptedServer(sells(required));
    const answer = await connect(server, guardWith(options)).buy('lookup');
    expect(answer.result).toMatchObject({ isError: true, _meta: { 'assay/refused': { purchaseId: null } } });
    expect(codeOf(answer)).toBe(code);
    expect(answer.result.content[0].text).toContain(`${code}: `);
    expect(answer.result.structuredContent).toBeUndefined();
    expect(JSON.stringify(answer)).not.toContain(INJECTION);
    expect(server.seen).toHaveLength(1);
  });

  it('is refused when its places ask for different payments', async () => {
    const thief = v2({ ...ENTRY, payTo: THIEF });
    const server = scriptedServer(() => ({
      result: { isError: true, structuredContent: v2(ENTRY), content: [], _meta: { 'x402/error': thief } },
    }));
    expect(codeOf(await connect(server).call('lookup'))).toBe('bad_challenge');
  });
});

describe('a payment that was not approved', () => {
  const payment = { x402Version: 2, payload: {} };

  it.each<[string, unknown, string]>([
    ['nothing like a payment', 5, 'something_else_was_signed'],
    ['an empty text', '', 'something_else_was_signed'],
    ['a text of other letters', 'ä\n', 'something_else_was_signed'],
    ['an empty object', payment, 'something_else_was_signed'],
    ['too much', 'A'.repeat(20_000), 'something_else_was_signed'],
  ])('is not sent: %s', async (_, sent, code) => {
    const server = scriptedServer(sells(v2(ENTRY)));
    const { call } = connect(server);
    expect(codeOf(await call('lookup', {}, { 'x402/payment': sent }))).toBe(code);
    expect(server.seen).toEqual([]);
  });

  it('is not sent when the client signed what the guard did not show', async () => {
    const stranger = scriptedServer(sells(v2({ ...ENTRY, payTo: THIEF })));
    await connect(stranger).buy('lookup');
    const stolen = stranger.seen[1].params._meta['x402/payment'];
    const server = scriptedServer(sells(v2(ENTRY)));
    const { call } = connect(server);
    expect(codeOf(await call('lookup', {}, { 'x402/payment': stolen }))).toBe('not_approved');
    await call('lookup');
    expect(codeOf(await call('lookup', {}, { 'x402/payment': stolen }))).toBe('something_else_was_signed');
    expect(server.payments()).toBe(0);
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['another method', { method: 'resources/read', params: { uri: 'a:b' } }],
    ['a call without a name', { method: 'tools/call', params: {} }],
    ['a call with half a letter as its name', { method: 'tools/call', params: { name: '\ud800' } }],
  ])('is not sent with %s', async (_, { method, params }) => {
    const server = scriptedServer(sells(v2(ENTRY)));
    const { ask } = connect(server);
    const answer = await ask({ method, params: { ...Object(params), _meta: { 'x402/payment': payment } } });
    expect(answer.error).toMatchObject({ code: -32_000, data: { code: 'not_approved' } });
    expect(server.seen).toEqual([]);
  });

  it('is not sent with a notification, nor in a batch', async () => {
    const server = scriptedServer(sells(v2(ENTRY)));
    const { transport, received } = connect(server);
    const params = { name: 'lookup', _meta: { 'x402/payment': payment } };
    const notification = { jsonrpc: '2.0', method: 'tools/call', params };
    await expect(transport.send(notification)).rejects.toMatchObject({ code: 'not_approved' });
    await transport.send([
      { ...notification, id: 1 },
      { jsonrpc: '2.0', id: 2, method: 'ping' },
    ]);
    expect(server.seen.map(({ method }) => method)).toEqual(['ping']);
    expect(received.map(({ id }) => id).sort()).toEqual([1, 2]);
  });
});
