import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ENTRY, header } from '../../tools/samples/challenge.ts';
import { checkOf, expectProblem } from '../support/asking.ts';
import { entriesTo } from '../support/log/test-log.ts';
import { callTool, rpc } from '../support/mcp/mcp-asking.ts';
import { httpAnswer } from '../support/probing/fake-seller.ts';
import {
  BOTH_DOORS,
  freshAddress,
  type Sent,
  type ServiceOptions,
  startService,
  type TestService,
} from '../support/running/running-service.ts';

const TASKS = '/v1/tasks';

describe.each(BOTH_DOORS)('what one address may do, through the %s (G102)', (door) => {
  const open: TestService[] = [];
  const start = async (options: Omit<ServiceOptions, 'door'> = {}) => {
    const service = await startService({ door, ...options });
    open.push(service);
    return service;
  };
  afterEach(async () => {
    await Promise.all(open.splice(0).map((service) => service.close()));
  });

  it('20 requests under way, then 429 until one is answered', async () => {
    const held: Socket[] = [];
    const service = await start({ seller: (socket) => held.push(socket), timeoutMs: 60_000 });
    const from = freshAddress();
    const waiting = Array.from({ length: 20 }, (_, n) =>
      service.ask(checkOf(`http://slow-${n % 4}.example/`, { mode: 'dry-run' }), { from }),
    );
    await vi.waitFor(() => expect(held).toHaveLength(4), { timeout: 120_000 });
    for (const path of [TASKS, '/v1/lookup?task=weather', checkOf('http://a.example/'), '/nowhere']) {
      const refused = await service.ask(path, { from });
      expectProblem(refused, 429, 'address_busy');
      expect(refused.header('retry-after')).toBe('1');
    }
    expect((await service.ask('/healthz', { from })).status).toBe(200);
    expect((await service.ask('/readyz', { from })).status).toBe(200);
    expect((await service.ask(TASKS)).status).toBe(200);
    for (const socket of held) socket.end(httpAnswer(503, []));
    await Promise.all(waiting);
    expect((await service.ask(TASKS, { from })).status).toBe(200);
  });

  const PLAIN = 'http://shop.example/';
  const NEXT_MINUTE = new Date('2026-11-15T12:01:00.000Z');
  const selling = (socket: Socket) =>
    socket.end(httpAnswer(402, [header({ x402Version: 2, accepts: [ENTRY] })]));
  const garbage = { headers: { 'payment-signature': 'e30=' } };

  it('so many reads in a minute, whatever they are and whatever key they carry', async () => {
    const settings = { READS_PER_ADDRESS_MINUTE: '6', REQUESTS_PER_ADDRESS: '100' };
    const service = await start({ settings });
    const from = freshAddress();
    const headers = { authorization: 'Bearer self-test-key-of-the-suite' };
    const paths = [
      TASKS,
      '/',
      '/nowhere',
      '/v1/lookup?task=weather',
      '/check',
      '/v1/lookup/paid?task=weather',
    ];
    for (const path of paths) await service.ask(path, { from });
    for (const path of [TASKS, '/v1/lookup?task=weather', '/check']) {
      const refused = await service.ask(path, { from, headers });
      expectProblem(refused, 429, 'read_limit');
      expect(refused.header('retry-after')).toBe('60');
    }
    expect((await service.ask('/healthz', { from })).status).toBe(200);
    expect((await service.ask(TASKS)).status).toBe(200);
    service.clock.now = NEXT_MINUTE;
    expect((await service.ask(TASKS, { from })).status).toBe(200);
  });

  it('checks, payments and messages of /mcp are not refused for what was read', async () => {
    const service = await start({ seller: selling, settings: { READS_PER_ADDRESS_MINUTE: '2' } });
    const from = freshAddress();
    for (let n = 0; n < 3; n += 1) await service.ask(TASKS, { from });
    expectProblem(await service.ask(TASKS, { from }), 429, 'read_limit');
    // Without it, a page can send none of them.
    for (const path of [checkOf(PLAIN), '/v1/lookup/paid', '/mcp']) {
      expect((await service.ask(path, { method: 'OPTIONS', from })).status).toBe(204);
    }
    expect((await service.ask(checkOf(PLAIN), { from })).status).toBe(200);
    const paying = await service.ask('/v1/lookup/paid?task=weather', { from, ...garbage });
    expect([paying.status, paying.json.error]).toEqual([402, 'payment_malformed']);
    const given = { arguments: { url: PLAIN, mode: 'dry-run' }, sent: { from } };
    expect((await callTool(service.ask, 'endpoint_spot_check', given)).isError).not.toBe(true);
  });

  it.each<[what: string, path: string, sent: Sent, served: number]>([
    ['questions for a price', checkOf(PLAIN), {}, 402],
    ['checks of a blocked address', checkOf('http://127.0.0.1/'), {}, 400],
    ['checks with a mistake', '/v1/products/endpoint-spot-check', {}, 400],
    ['HEADs of the check', checkOf(PLAIN), { method: 'HEAD' }, 402],
    ['payments that are none, for a lookup', '/v1/lookup/paid?task=weather', garbage, 402],
    ['payments that are none, for a check', checkOf(PLAIN), garbage, 402],
  ])('so many %s in a minute', async (_, path, sent, served) => {
    const service = await start({ seller: selling, settings: { READS_PER_ADDRESS_MINUTE: '3' } });
    const from = freshAddress();
    expect((await service.ask(checkOf(PLAIN), { from })).status).toBe(200);
    const asked: number[] = [];
    for (let n = 0; n < 5; n += 1) asked.push((await service.ask(path, { ...sent, from })).status);
    expect(asked).toEqual([served, served, served, 429, 429]);
    // The minute of the reads is another one.
    expect((await service.ask(TASKS, { from })).status).toBe(200);
    service.clock.now = NEXT_MINUTE;
    expect((await service.ask(path, { ...sent, from })).status).toBe(served);
  });

  it('a verdict does not count, also one of the form', async () => {
    const service = await start({ seller: selling, settings: { READS_PER_ADDRESS_MINUTE: '2' } });
    const from = freshAddress();
    const form = (mode: string): Sent => ({
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: String(new URLSearchParams({ url: PLAIN, mode })),
      from,
    });
    for (let n = 0; n < 3; n += 1) {
      expect((await service.ask(checkOf(PLAIN, { mode: 'dry-run' }), { from })).status).toBe(200);
      expect((await service.ask('/check', form('dry-run'))).status).toBe(303);
    }
    expect((await service.ask('/check', form('live'))).status).toBe(303);
    const prices: number[] = [];
    for (let n = 0; n < 3; n += 1) prices.push((await service.ask('/check', form('live'))).status);
    expect(prices).toEqual([200, 200, 429]);
  });

  it('a bundle of long statements counts for its length, also without its body', async () => {
    const long = { ...ENTRY, asset: 'x'.repeat(128), payTo: 'y'.repeat(128) };
    const accepts = Array.from({ length: 64 }, (_, n) => ({ ...long, amount: String(n + 1) }));
    const seller = (socket: Socket) => socket.end(httpAnswer(402, [header({ x402Version: 2, accepts })]));
    const service = await start({ seller, settings: { READS_PER_ADDRESS_MINUTE: '12' } });
    for (let n = 0; n < 6; n += 1) {
      expect((await service.ask(checkOf('http://shop.example/', { mode: 'dry-run' }))).status).toBe(200);
    }
    await service.logKeeper.round();
    const path = '/log/statements/0';
    const { text, header: got } = await service.ask(path);
    const each = Math.ceil(text.length / 65_536);
    expect(each).toBeGreaterThan(3);
    const from = freshAddress();
    const etag = got('etag') ?? '';
    expect((await service.ask(path, { method: 'HEAD', from })).status).toBe(200);
    expect((await service.ask(path, { headers: { 'if-none-match': etag }, from })).status).toBe(304);
    for (let left = 12 - 2 * each; left > 0; left -= 1) {
      expect((await service.ask(TASKS, { from })).status).toBe(200);
    }
    expectProblem(await service.ask(TASKS, { from }), 429, 'read_limit');
  });

  it('a receipt that is looked for by a long URL counts for its length, and a badge', async () => {
    const service = await start({ settings: { READS_PER_ADDRESS_MINUTE: '20' } });
    const long = encodeURIComponent(`http://shop.example/${'%a/'.repeat(650)}`);
    for (const path of ['/v1/receipts/by-url', '/badge.svg']) {
      const from = freshAddress();
      for (let n = 0; n < 3; n += 1) {
        expect((await service.ask(`${path}?url=${long}`, { from })).status).not.toBe(429);
      }
      expectProblem(await service.ask(TASKS, { from }), 429, 'read_limit');
    }
  });

  it('what reads the last twenty statements of a URL counts five times', async () => {
    const service = await start({ settings: { READS_PER_ADDRESS_MINUTE: '5' } });
    const { receipt_id: id } = (await service.ask(checkOf('http://shop.example/honest'))).json;
    const odd = encodeURIComponent('http://shop.example/honest/');
    const reading = [`/v1/receipts/${id}`, `/v1/receipts/by-url?url=${odd}`, `/badge.svg?url=${odd}`];
    for (const path of reading) {
      const from = freshAddress();
      expect((await service.ask(path, { from, headers: { accept: 'text/html' } })).status).toBe(200);
      expectProblem(await service.ask(TASKS, { from }), 429, 'read_limit');
    }
  });

  it('20 messages of /mcp under way, each counted for its length', async () => {
    const held: Socket[] = [];
    const service = await start({
      seller: (socket) => held.push(socket),
      timeoutMs: 60_000,
      settings: { REQUESTS_PER_ADDRESS: '2', READS_PER_ADDRESS_MINUTE: '20' },
    });
    const from = freshAddress();
    const waiting = [1, 2].map((n) => {
      const given = { arguments: { url: `http://slow-${n}.example/`, mode: 'dry-run' }, sent: { from } };
      return callTool(service.ask, 'endpoint_spot_check', given);
    });
    await vi.waitFor(() => expect(held).toHaveLength(2), { timeout: 120_000 });
    expectProblem(await rpc(service.ask, 'ping', { sent: { from } }), 429, 'address_busy');
    for (const socket of held) socket.end(httpAnswer(503, []));
    await Promise.all(waiting);
    const params = { _meta: { text: 'x'.repeat(60_000) } };
    for (let n = 0; n < 3; n += 1) {
      expect((await rpc(service.ask, 'ping', { params, sent: { from } })).status).toBe(200);
    }
    expectProblem(await rpc(service.ask, 'ping', { sent: { from } }), 429, 'read_limit');
  });

  it('tools of /mcp count as the routes behind them', async () => {
    const service = await start({ settings: { READS_PER_ADDRESS_MINUTE: '3' } });
    const from = freshAddress();
    for (let n = 0; n < 2; n += 1) {
      expect((await callTool(service.ask, 'search_catalog', { sent: { from } })).isError).not.toBe(true);
    }
    expect((await service.ask(TASKS, { from })).status).toBe(200);
    // The route behind it is refused, and then the message.
    expect((await callTool(service.ask, 'search_catalog', { sent: { from } })).isError).toBe(true);
    expectProblem(await rpc(service.ask, 'ping', { sent: { from } }), 429, 'read_limit');
  });
});

describe('bundles of statements at a time', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ door: 'app' });
    await service.store.transparencyLog.add(entriesTo(300));
    await service.logKeeper.round();
  });
  afterAll(() => service.close());
  const statusesFrom = async (addresses: readonly string[]) => {
    const asked = addresses.map((from) => service.ask('/log/statements/0', { from }));
    return (await Promise.all(asked)).map(({ status }) => status);
  };

  it('two of one address', async () => {
    const statuses = await statusesFrom(Array.from({ length: 6 }, () => '192.0.2.77'));
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(2);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  });

  it('twenty of one IPv6 /48', async () => {
    const inside = Array.from({ length: 40 }, (_, n) => `2001:db8:79:${n.toString(16)}::1`);
    const statuses = await statusesFrom(inside);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(20);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  });
});
