import { describe, expect, it } from 'vitest';
import { guardTransport } from '../../src/guard/mcp/guard-transport.ts';
import { ENTRY } from '../../tools/samples/challenge.ts';
import {
  codeOf,
  connect,
  everywhere,
  guardWith,
  RESULT,
  sells,
  v2,
} from '../support/guarding/mcp/paid-tools.ts';
import { requirementOf, scriptedClient, signed } from '../support/guarding/mcp/scripted-mcp-client.ts';
import {
  type Json,
  type Scripted,
  type ScriptedServer,
  scriptedServer,
} from '../support/guarding/mcp/scripted-mcp-server.ts';
import { LIMITS } from '../support/guarding/sellers/in-process-seller.ts';

describe('one payment for a tool call', () => {
  const asksAgain = () => everywhere(v2(ENTRY));

  it('a server that asks again gets no second payment', async () => {
    const server = scriptedServer(asksAgain);
    const { buy, guard } = connect(server);
    for (let tries = 0; tries < 3; tries += 1) {
      expect(codeOf(await buy('lookup'))).toBe('asked_again_after_payment');
    }
    expect(server.payments()).toBe(1);
    expect(await guard.purchases({ state: 'open' })).toMatchObject([{ state: 'asked_again' }]);
  });

  it('a transport that fails is given the same payment again, under a new id', async () => {
    const server = scriptedServer(
      sells(v2(ENTRY), ({ paidBefore }) => (paidBefore === 0 ? 'refused' : { result: RESULT })),
    );
    const { buy } = connect(server);
    expect(await buy('lookup')).toEqual({ jsonrpc: '2.0', id: 2, result: RESULT });
    expect(server.payments()).toBe(1);
    const ids = server.seen.map(({ id }) => id);
    expect(ids).toEqual([1, 2, expect.stringMatching(/^assay-[0-9a-f]{32}-1$/)]);
  });

  it('a transport that closes before the answer leaves the outcome unknown, and the next one gets the same payment', async () => {
    const first = scriptedServer(sells(v2(ENTRY), () => 'lost'));
    const { buy, closed, transport, guard } = connect(first);
    const bought = buy('lookup', { b: 1, a: { d: 1, c: 2 } });
    const lost = expect(bought).rejects.toThrow('the transport was closed before the answer');
    await expect.poll(() => first.payments()).toBe(1);
    await transport.close();
    await closed;
    await lost;
    expect(await guard.purchases({ state: 'open' })).toMatchObject([{ state: 'unknown' }]);
    // How it takes payments is not known to a new transport: this one wants text.
    const second = scriptedServer(({ sent }) =>
      typeof sent === 'string' ? { result: RESULT } : everywhere(v2(ENTRY)),
    );
    const again = await connect(second, guard).call('lookup', { a: { c: 2, d: 1 }, b: 1 });
    expect(again).toEqual({ jsonrpc: '2.0', id: 1, result: RESULT });
    const nonce = ({ payload }: Json) => payload.authorization.nonce;
    const sent = second.seen.map(({ params }) => params._meta['x402/payment']);
    expect(nonce(JSON.parse(Buffer.from(sent[1], 'base64').toString()))).toBe(nonce(sent[0]));
    expect(nonce(sent[0])).toBe(nonce(first.seen[1].params._meta['x402/payment']));
  });

  it('a call that the client gives up is cancelled at the server, and its outcome is unknown', async () => {
    const server = scriptedServer(sells(v2(ENTRY), () => 'lost'));
    const { buy, transport, guard, received } = connect(server);
    const given = expect(buy('lookup')).rejects.toThrow('the client gave up the call');
    await expect.poll(() => server.payments()).toBe(1);
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } };
    await transport.send(cancelled);
    await given;
    expect(server.seen.at(-1)).toEqual(cancelled);
    expect(await guard.purchases({ state: 'open' })).toMatchObject([{ state: 'unknown' }]);
    expect(received).toHaveLength(1);
  });

  it('a call whose own signal is aborted is given up as well', async () => {
    const server = scriptedServer(sells(v2(ENTRY), () => 'lost'));
    const { call, ask, guard } = connect(server);
    const required = requirementOf(await call('lookup'));
    const stop = new AbortController();
    const params = { name: 'lookup', arguments: {}, _meta: { 'x402/payment': await signed(required) } };
    const given = ask({ method: 'tools/call', params }, { requestSignal: stop.signal });
    const gone = expect(given).rejects.toThrow('no longer');
    await expect.poll(() => server.payments()).toBe(1);
    expect(server.options.at(-1).requestSignal).toBe(stop.signal);
    stop.abort(new Error('no longer'));
    await gone;
    expect(await guard.purchases({ state: 'open' })).toMatchObject([{ state: 'unknown' }]);
  });

  it('the end of its own stream is a lost answer', async () => {
    const server: ScriptedServer = scriptedServer(
      sells(v2(ENTRY), ({ paidBefore }) => {
        if (paidBefore > 0) return { result: RESULT };
        server.options.at(-1).onRequestStreamEnd();
        return 'lost';
      }),
    );
    expect((await connect(server).buy('lookup')).result).toEqual(RESULT);
    expect(server.payments()).toBe(1);
  });

  it('two identical calls at once are one purchase, and both get the answer', async () => {
    const server = scriptedServer(sells(v2(ENTRY)));
    const { buy } = connect(server);
    const answers = await Promise.all([buy('lookup', { a: 1, b: 2 }), buy('lookup', { b: 2, a: 1 })]);
    expect(answers.map(({ result }) => result)).toEqual([RESULT, RESULT]);
    expect(server.payments()).toBe(1);
  });

  it('the same call again is bought already, unless it is named', async () => {
    const server = scriptedServer(sells(v2(ENTRY)));
    const { buy, call } = connect(server);
    await buy('lookup');
    expect(codeOf(await call('lookup'))).toBe('bought_already');
    const named = await call('lookup', {}, { 'assay/purchase': 'order-17', kept: 1 });
    expect(requirementOf(named).accepts).toEqual([ENTRY]);
    expect(server.seen.at(-1).params._meta).toEqual({ kept: 1 });
    expect(codeOf(await call('lookup', {}, { 'assay/max-price': 'much' }))).toBe('not_approved');
    expect(codeOf(await call('lookup', {}, { 'assay/maxPrice': '0.02' }))).toBe('not_approved');
  });

  it.each<[string, Scripted, string]>([
    [
      'an error of the tool',
      { result: { isError: true, content: [{ type: 'text', text: 'no' }] } },
      'failed',
    ],
    ['an error of the server', { error: { code: -32_603, message: 'no' } }, 'failed'],
    ['no result at all', { result: null }, 'failed'],
    ['an unfinished result', { result: { resultType: 'input_required', inputRequests: {} } }, 'failed'],
    ['an empty result', { result: { content: [] } }, 'empty'],
    ['a blank result', { result: { content: [{ type: 'text', text: ' ' }], _meta: {} } }, 'empty'],
  ])('%s is passed on, and the purchase stays open', async (_, answer, state) => {
    const server = scriptedServer(
      sells(v2(ENTRY), ({ paidBefore }) => (paidBefore === 0 ? answer : { result: RESULT })),
    );
    const { buy, call, guard } = connect(server);
    expect(await buy('lookup')).toEqual({ jsonrpc: '2.0', id: 2, ...Object(answer) });
    expect(await guard.purchases({ state: 'open' })).toMatchObject([{ state }]);
    expect((await call('lookup')).result).toEqual(RESULT);
    expect(server.payments()).toBe(1);
  });

  it('keeps the settlement and the hash of the result as evidence', async () => {
    const _meta = { 'x402/payment-response': { success: true, transaction: '0x01' } };
    const { buy, guard } = connect(
      scriptedServer(sells(v2(ENTRY), () => ({ result: { ...RESULT, _meta } }))),
    );
    await buy('lookup');
    const [purchase] = await guard.purchases();
    expect(purchase?.answer?.paymentResponse).toBe('eyJzdWNjZXNzIjp0cnVlLCJ0cmFuc2FjdGlvbiI6IjB4MDEifQ==');
    expect(purchase?.answer?.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it('asks the chain by HTTP about a payment that has expired, not the server', async () => {
    let now = new Date();
    const asked: string[] = [];
    const guard = guardWith({
      chain: { rpcUrl: 'http://127.0.0.1:9/' },
      now: () => now,
      async fetch(input) {
        asked.push(String(input));
        throw new TypeError('fetch failed');
      },
    });
    const server = scriptedServer(sells(v2(ENTRY), () => ({ error: { code: -32_603, message: 'no' } })));
    const { buy, call } = connect(server, guard);
    await buy('lookup');
    now = new Date(now.getTime() + 1_000_000);
    expect(codeOf(await call('lookup'))).toBe('outcome_unknown');
    expect(new Set(asked)).toEqual(new Set(['http://127.0.0.1:9/']));
    expect(server.seen).toHaveLength(2);
  });

  it('a task has a limit of its own', async () => {
    const guard = guardWith({ limits: { ...LIMITS, perTask: '0.015' } });
    const server = scriptedServer(sells(v2(ENTRY)));
    const client = scriptedClient(
      guardTransport(server.transport, guard, { server: 'https://seller.example/', task: 't1' }),
    );
    expect((await client.buy('one')).result).toEqual(RESULT);
    expect(codeOf(await client.buy('two'))).toBe('over_task_limit');
    expect(codeOf(await client.call('two', {}, { 'assay/task': 't2' }))).toBe('not_approved');
    expect(await guard.purchases()).toMatchObject([{ url: 'https://seller.example/tools/one', task: 't1' }]);
  });
});
