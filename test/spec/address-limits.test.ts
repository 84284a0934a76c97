import type { Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ENTRY, header } from '../../tools/samples/challenge.ts';
import { checkOf, expectProblem } from '../support/asking.ts';
import { entriesTo } from '../support/log/test-log.ts';
import { callTool, rpc } from '../support/mcp/mcp-asking.ts';
import { httpAnswer } from '../support/probing/fake-seller.ts';
import {
  BOTH_DOORS,
  freshAddress,
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

  it('so many requests in a minute, whatever they are and whatever key they carry', async () => {
    const settings = { READS_PER_ADDRESS_MINUTE: '6', REQUESTS_PER_ADDRESS: '100' };
    const service = await start({ settings });
    const from = freshAddress();
    const headers = { authorization: 'Bearer self-test-key-of-the-suite' };
    for (const path of [TASKS, '/', '/nowhere', '/v1/lookup?task=weather', checkOf('http://127.0.0.1/')]) {
      await service.ask(path, { from });
    }
    expect((await service.ask('/v1/lookup?task=weather', { from, headers })).status).toBe(200);
    for (const path of [TASKS, '/v1/lookup?task=weather']) {
      const refused = await service.ask(path, { from, headers });
      expectProblem(refused, 429, 'read_limit');
      expect(refused.header('retry-after')).toBe('60');
    }
    const garbage = { 'payment-signature': 'e30=' };
    expect((await service.ask('/v1/lookup/paid?task=weather', { from, headers: garbage })).status).toBe(429);
    expect((await service.ask('/healthz', { from })).status).toBe(200);
    expect((await service.ask(TASKS)).status).toBe(200);
    service.clock.now = new Date('2026-11-15T12:01:00.000Z');
    expect((await service.ask(TASKS, { from })).status).toBe(200);
  });

  it('a price that is asked for again and again counts, a verdict does not', async () => {
    const seller = (socket: Socket) =>
      socket.end(httpAnswer(402, [header({ x402Version: 2, accepts: [ENTRY] })]));
    const service = await start({ seller, settings: { READS_PER_ADDRESS_MINUTE: '3' } });
    const from = freshAddress();
    const asked: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      asked.push((await service.ask(checkOf('http://shop.example/'), { from })).status);
    }
    expect(asked).toEqual([200, 402, 402, 402, 429]);
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

  it('tools of /mcp count as the routes behind them', async () => {
    const service = await start({ settings: { READS_PER_ADDRESS_MINUTE: '3' } });
    const from = freshAddress();
    // The message and the route behind it are two.
    expect((await callTool(service.ask, 'search_catalog', { sent: { from } })).isError).not.toBe(true);
    expect((await callTool(service.ask, 'search_catalog', { sent: { from } })).isError).toBe(true);
    expectProblem(await rpc(service.ask, 'ping', { sent: { from } }), 429, 'read_limit');
  });
});

it('two bundles of statements of one address are made at a time', async () => {
  const service = await startService({ door: 'app' });
  await service.store.transparencyLog.add(entriesTo(300));
  await service.logKeeper.round();
  const from = freshAddress();
  const asked = Array.from({ length: 6 }, () => service.ask('/log/statements/0', { from }));
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(2);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  await service.close();
});
