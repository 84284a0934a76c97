import { describe, expect, it } from 'vitest';
import type { GuardedInit } from '../../src/guard/call/read-call.ts';
import { type Decision, GuardRefused } from '../../src/guard/index.ts';
import { ENTRY, paywall } from '../../tools/samples/challenge.ts';
import { connect, guardWith, sells, v2 } from '../support/guarding/mcp/paid-tools.ts';
import { scriptedServer } from '../support/guarding/mcp/scripted-mcp-server.ts';
import { guardFor, responseOf } from '../support/guarding/sellers/in-process-seller.ts';

const PAID = 'https://seller.example/paid';
const SECRET = 'hunter2';
const SIGNED = { 'payment-signature': 'e30=' };

/** Refusals as `onDecision` hears of them. */
function observer() {
  const heard: object[] = [];
  const onDecision = (decision: Decision) => {
    if (decision.kind !== 'refused') return;
    const { code, url, method } = decision;
    heard.push({ code, url, method });
  };
  return { heard, onDecision };
}

/** What a fetch is refused with, and what is heard of it. */
async function refusedAt(input: unknown, init: GuardedInit = {}) {
  const { heard, onDecision } = observer();
  const guard = guardFor({ fetch: async () => responseOf(paywall([ENTRY])) }, { onDecision });
  // As programs without types may call it.
  const refused = await guard.fetch(input as string, init).catch((fault: unknown) => fault);
  return { code: refused instanceof GuardRefused ? refused.code : String(refused), heard };
}

describe('one event for each refusal', () => {
  it.each<[string, string, GuardedInit, object]>([
    ['a 402 of an address that cannot be read', '/paid', {}, { code: 'bad_challenge', url: '/paid' }],
    ['a payment to one', '/paid', { headers: SIGNED }, { code: 'not_approved', url: '/paid' }],
    ['a price that cannot be read', PAID, { assay: { maxPrice: 'much' } }, { code: 'not_approved' }],
    ['a name that cannot be read', PAID, { headers: { 'x-assay-task': 'é' } }, { code: 'not_approved' }],
    [
      'a name that cannot be read, beside a payment',
      PAID,
      { headers: { ...SIGNED, 'x-assay-task': 'é' } },
      { code: 'not_approved' },
    ],
    ['what is no payment', PAID, { headers: SIGNED }, { code: 'something_else_was_signed' }],
    ['another method', PAID, { method: 'put', headers: SIGNED }, { method: 'PUT' }],
  ])('%s', async (_, address, init, event) => {
    const { code, heard } = await refusedAt(address, init);
    expect(heard).toEqual([{ code, url: PAID, method: 'GET', ...event }]);
  });

  const TOOL = 'https://seller.example/mcp/tools/lookup';
  it.each<[string, string, object, object]>([
    ['a payment under an unknown key', 'tools/call', { X402_Payment: {} }, { url: TOOL }],
    ['a price that cannot be read', 'tools/call', { 'assay/max-price': 'much' }, { url: TOOL }],
    ['a payment that was not shown', 'tools/call', { 'x402/payment': {} }, { url: TOOL }],
    ['a payment for no tool', 'resources/read', { 'x402/payment': {} }, {}],
  ])('over MCP: %s', async (_, method, _meta, event) => {
    const { heard, onDecision } = observer();
    const { ask } = connect(scriptedServer(sells(v2(ENTRY))), guardWith({ onDecision }));
    const { result, error } = await ask({ method, params: { name: 'lookup', _meta } });
    const { code } = error?.data ?? result._meta['assay/refused'];
    expect(heard).toEqual([{ code, url: 'https://seller.example/mcp', method: 'POST', ...event }]);
  });

  it('over MCP: a payment in a notification, and a call too many', async () => {
    const { heard, onDecision } = observer();
    const { transport } = connect(
      scriptedServer(() => 'lost'),
      guardWith({ onDecision }),
    );
    const paid = { jsonrpc: '2.0', method: 'a', params: { _meta: { 'x402/payment': {} } } };
    await expect(transport.send(paid)).rejects.toMatchObject({ code: 'not_approved' });
    for (let id = 1; id <= 1_000; id += 1) {
      transport.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'free' } }).catch(() => {});
    }
    await transport.send({ jsonrpc: '2.0', id: 0, method: 'tools/call', params: { name: 'lookup' } });
    const of = { code: 'not_approved', method: 'POST' };
    expect(heard).toEqual([
      { ...of, url: 'https://seller.example/mcp' },
      { ...of, url: TOOL },
    ]);
    await transport.close();
  });
});

describe('the address in an event has no secret', () => {
  it.each<[string, string, string]>([
    ['a user of a URL', `https://user:${SECRET}@seller.example/paid#${SECRET}`, PAID],
    ['a parameter of a path', `/paid?token=${SECRET}&a=1`, '/paid?token=REDACTED&a=1'],
    ['a part of a path', `paid/${'0a'.repeat(16)}/x`, 'paid/REDACTED/x'],
    ['the first part', `sk_live_${SECRET}0123456789/x`, 'REDACTED/x'],
    ['seed words with blanks', `/paid/${'abandon '.repeat(12)}`, '/paid/REDACTED'],
    ['a host with a port that is none', `https://a:${SECRET}/b@seller.example:x/paid`, 'REDACTED'],
    ['a scheme of its own', `app://user:${SECRET}@seller/paid`, 'REDACTED'],
    ['data', `data:text/plain,${SECRET}`, 'data:'],
    ['a new line', '/paid\nassay: approved', '/paid%20assay:%20approved'],
    ['a long text', `/${'a/'.repeat(2_000)}`, `/${'a/'.repeat(2_000)}`.slice(0, 2_048)],
  ])('%s', async (_, address, url) => {
    expect((await refusedAt(address, { headers: SIGNED })).heard).toMatchObject([{ url }]);
  });
});
