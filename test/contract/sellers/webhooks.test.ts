import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSendWebhook } from '../../../src/adapters/probe/send-webhook.ts';
import type { Store } from '../../../src/adapters/store/store.ts';
import { publicWeb } from '../../../src/core/url/gate.ts';
import { optOutsOf } from '../../../src/core/url/opt-outs.ts';
import { publicAddresses } from '../../../src/core/url/public-address.ts';
import { createWatchRound } from '../../../src/main/serve/watch-rounds.ts';
import { checkOf } from '../../support/asking.ts';
import { crawled, publishCrawl } from '../../support/crawling/published-crawl.ts';
import {
  certificate,
  type FakeSeller,
  httpAnswer,
  type Script,
  startSeller,
} from '../../support/probing/fake-seller.ts';
import { gateTo } from '../../support/probing/gated-fetching.ts';
import { scriptedSeller } from '../../support/probing/scripted-seller.ts';
import {
  BASE_URL,
  NOON,
  SECRET,
  startService,
  type TestService,
} from '../../support/running/running-service.ts';
import { anOwner, publishing } from '../../support/signing-seller.ts';

const owner = anOwner();
const SELLERS = '/v1/sellers';
const URL_WATCHED = 'http://owned.example/changing';
/** The certificate of the tests is for this name. */
const HOOK = 'https://seller.example.net/hook?for=assay';

/** A service, a real receiver behind TLS, and rounds of the background job when the test says so. */
describe('webhooks (gap L113)', () => {
  const state = { path: '/honest' };
  let service: TestService;
  let receiver: FakeSeller;
  let hook: Script;

  beforeEach(async () => {
    state.path = '/honest';
    hook = (socket) => socket.end(httpAnswer(204, []));
    const changing: Script = (socket, request) =>
      scriptedSeller(socket, request.replace('/changing', state.path));
    service = await startService({ seller: publishing([owner.token], changing) });
    receiver = await startSeller((socket, request) => hook(socket, request), 'seller');
  });
  afterEach(async () => {
    await service.close();
    await receiver.close();
  });

  const send = async (statement: object) => {
    const at = service.clock.now.toISOString();
    return service.ask(SELLERS, owner.request({ url: URL_WATCHED, at, ...statement }));
  };
  const pass = (minutes: number) => {
    service.clock.now = new Date(service.clock.now.getTime() + minutes * 60_000);
  };
  const check = async () => (await service.ask(checkOf(URL_WATCHED))).json.receipt_url;
  /** What is due by the clock of the store, is due now. */
  const hurry = async () => {
    await service.place.ask('update watches set look_at = 0');
    await service.place.ask('update webhook_events set due_at = 0');
  };
  const gate = (resolve?: string[]) => {
    const changes = { authorities: [certificate('ca')], timeoutMs: 2_000 };
    return gateTo(receiver.port, {
      ...changes,
      ...(resolve === undefined
        ? {}
        : { resolve: async () => ({ kind: 'addresses', addresses: resolve }) as const }),
    });
  };
  const roundOf = (store: Store, parts = gate().parts) =>
    createWatchRound({
      store,
      policy: parts.policy,
      secret: SECRET,
      now: () => service.clock.now,
      sendWebhook: createSendWebhook(parts),
      baseUrl: BASE_URL,
    });
  const round = async (parts = gate().parts) => {
    await hurry();
    return roundOf(service.store, parts)();
  };
  const bodyOf = (request: string) => request.slice(request.indexOf('\r\n\r\n') + 4);
  const headerOf = (request: string, name: string) =>
    new RegExp(`\r\n${name}: ([^\r]*)`, 'i').exec(request)?.[1];
  const changed = async () => {
    pass(10);
    state.path = '/dear';
    return check();
  };

  it('are told once about a change, with a signature of the key that only the owner got', async () => {
    await check();
    const { json } = await send({ action: 'watch', webhook: HOOK });
    expect(json).toMatchObject({
      action: 'watch',
      url: URL_WATCHED,
      method: null,
      webhook: HOOK,
      signing_key: expect.stringMatching(/^[0-9a-f]{64}$/),
      feed: `${BASE_URL}/v1/watch.atom?url=${encodeURIComponent(URL_WATCHED)}`,
    });
    expect(JSON.stringify(await service.place.ask('select * from watches'))).not.toContain(json.signing_key);
    expect(await round()).toEqual({ events: 0, delivered: 0 });
    const receipt = await changed();
    expect(await round()).toEqual({ events: 1, delivered: 1 });
    const [request = ''] = receiver.requests;
    expect(request).toMatch(/^POST \/hook\?for=assay HTTP\/1\.1\r\n/);
    const body = bodyOf(request);
    expect(JSON.parse(body)).toEqual({
      event: 'endpoint_changed',
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      url: URL_WATCHED,
      before: { verdict: 'pay', price_usd: 0.01, pay_to: expect.stringMatching(/^0x/) },
      after: { verdict: 'pay', price_usd: 1, pay_to: expect.stringMatching(/^0x/) },
      receipt,
      at: service.clock.now.toISOString(),
    });
    const timestamp = headerOf(request, 'assay-timestamp') ?? '';
    expect(Number(timestamp)).toBe(service.clock.now.getTime() / 1_000);
    const signature = createHmac('sha256', json.signing_key).update(`${timestamp}.${body}`).digest('hex');
    expect(headerOf(request, 'assay-signature')).toBe(`v1=${signature}`);
    // Nothing new, nothing sent.
    expect(await round()).toEqual({ events: 0, delivered: 0 });
    expect(receiver.requests).toHaveLength(1);
  });

  it('are not told about the first receipt, nor about checks with claims', async () => {
    await send({ action: 'watch', webhook: HOOK });
    await check();
    expect(await round()).toEqual({ events: 0, delivered: 0 });
    pass(10);
    await service.ask(checkOf(URL_WATCHED, { claimed_price: '99', client: 'somebody' }));
    expect(await round()).toEqual({ events: 0, delivered: 0 });
  });

  it('are never told about what was before that which they know', async () => {
    const lastWeek = new Date(NOON.getTime() - 7 * 86_400_000);
    const terms = { claimedPrice: null, listedPayTo: null, listedNetwork: null };
    await publishCrawl(service.store.runs, 'run-1', [
      crawled(URL_WATCHED, { verdict: 'skip', checkedAt: lastWeek, ...terms }),
    ]);
    await send({ action: 'watch', webhook: HOOK });
    await send({ action: 'retest' });
    expect(await round()).toEqual({ events: 1, delivered: 1 });
    pass(2);
    await send({ action: 'retest' });
    expect(await round()).toEqual({ events: 0, delivered: 0 });
    pass(1);
    // As many dry runs as are looked at, all with another method: only the crawl of last week is in sight.
    for (let n = 0; n < 20; n += 1) {
      await service.ask(checkOf(URL_WATCHED, { mode: 'dry-run', method: 'POST' }));
    }
    expect(await round()).toEqual({ events: 0, delivered: 0 });
  });

  it('two processes send an event once', async () => {
    await check();
    await send({ action: 'watch', webhook: HOOK });
    await changed();
    await hurry();
    const other = await service.place.open();
    const told = await Promise.all([roundOf(service.store)(), roundOf(other)()]);
    await Promise.all([roundOf(service.store)(), roundOf(other)()]);
    expect(told.reduce((sum, { events }) => sum + events, 0)).toBe(1);
    expect(receiver.requests).toHaveLength(1);
  });

  it('are tried again with the same id, and given up with their watch after six attempts', async () => {
    await check();
    await send({ action: 'watch', webhook: HOOK });
    await changed();
    hook = (socket) => socket.end(httpAnswer(500, []));
    for (let attempt = 0; attempt < 6; attempt += 1) {
      expect(await service.place.ask('select id from watches')).toHaveLength(1);
      await round();
    }
    const ids = receiver.requests.map((request) => JSON.parse(bodyOf(request)).id);
    expect([ids.length, new Set(ids).size]).toEqual([6, 1]);
    expect(await service.place.ask('select id from watches')).toEqual([]);
    expect(await service.place.ask('select id from webhook_events')).toEqual([]);
  });

  it.each<[string, Script]>([
    ['redirects', (socket) => socket.end(httpAnswer(307, [['Location', 'https://elsewhere.example/']]))],
    ['breaks off', (socket) => void socket.destroy()],
    [
      'answers without an end',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        const flow = () => {
          while (!socket.destroyed && socket.write('x'.repeat(10_000)));
        };
        socket.on('drain', flow);
        flow();
      },
    ],
  ])('a receiver that %s has not received it, and nobody else is asked', async (_, script) => {
    await check();
    await send({ action: 'watch', webhook: HOOK });
    await changed();
    hook = script;
    const { parts, seen } = gate();
    expect(await round(parts)).toEqual({ events: 1, delivered: 0 });
    expect([seen.asked, receiver.requests.length]).toEqual([['seller.example.net'], 1]);
    hook = (socket) => socket.end(httpAnswer(200, []));
    expect(await round()).toEqual({ events: 0, delivered: 1 });
  });

  it('never go to an address that the gate refuses, whatever the name led to before', async () => {
    await check();
    expect((await send({ action: 'watch', webhook: HOOK })).status).toBe(200);
    await changed();
    const { parts, seen } = gate(['10.0.0.7']);
    expect(await round(parts)).toEqual({ events: 1, delivered: 0 });
    expect([seen.asked, seen.dialled, receiver.requests]).toEqual([['seller.example.net'], [], []]);
  });

  it('are not told about a host that has opted out since', async () => {
    await check();
    await send({ action: 'watch', webhook: HOOK });
    await changed();
    const { parts } = gate();
    const addresses = publicAddresses([]);
    const policy = publicWeb({ addresses, ownHosts: new Set(), optOuts: optOutsOf(['owned.example']) });
    expect(await round({ ...parts, policy })).toEqual({ events: 0, delivered: 0 });
  });

  it('end after 90 days unless they are renewed', async () => {
    await check();
    const { json } = await send({ action: 'watch', webhook: HOOK });
    expect(json.until).toBe('2027-02-13T12:00:00.000Z');
    pass(90 * 24 * 60);
    await round();
    expect(await service.place.ask('select id from watches')).toEqual([]);
  });

  it('a host gets at most 60 an hour, whoever watches', async () => {
    await send({ action: 'watch', webhook: HOOK });
    const [taken] = await service.store.watches.take(0, service.clock.now, 9);
    if (taken === undefined) throw new Error('no watch is due');
    for (let version = 0; version < 62; version += 1) {
      const event = { id: `evt_${version}`, watchId: taken.id, body: '{}' };
      const seen = { verdict: 'pay', price: null, payTo: null, at: NOON } as const;
      await service.store.watches.note({ ...taken, version }, seen, event);
    }
    for (let n = 0; n < 5; n += 1) await round();
    expect(receiver.requests).toHaveLength(60);
    pass(60);
    for (let n = 0; n < 2; n += 1) await round();
    expect(receiver.requests).toHaveLength(62);
  });
});
