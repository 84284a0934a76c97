import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { publicWeb } from '../../../src/core/url/gate.ts';
import { optOutsOf } from '../../../src/core/url/opt-outs.ts';
import { publicAddresses } from '../../../src/core/url/public-address.ts';
import { httpAnswer, type Script } from '../../support/probing/fake-seller.ts';
import { BASE_URL } from '../../support/running/running-service.ts';
import { bodyOf, HOOK, URL_WATCHED, useWatching } from '../../support/watching.ts';

const headerOf = (request: string, name: string) =>
  new RegExp(`\r\n${name}: ([^\r]*)`, 'i').exec(request)?.[1];

describe('webhooks (gap L113)', () => {
  const watching = useWatching();
  const { send, check, changed, round, gate } = watching;

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
    expect(JSON.stringify(await watching.service.place.ask('select * from watches'))).not.toContain(
      json.signing_key,
    );
    expect(await round()).toEqual({ events: 0, delivered: 0 });
    const receipt = await changed();
    expect(await round()).toEqual({ events: 1, delivered: 1 });
    const [request = ''] = watching.receiver.requests;
    expect(request).toMatch(/^POST \/hook\?for=assay HTTP\/1\.1\r\n/);
    const body = bodyOf(request);
    expect(JSON.parse(body)).toEqual({
      event: 'endpoint_changed',
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      url: URL_WATCHED,
      before: { verdict: 'pay', price_usd: 0.01, pay_to: expect.stringMatching(/^0x/) },
      after: { verdict: 'pay', price_usd: 1, pay_to: expect.stringMatching(/^0x/) },
      receipt,
      at: watching.service.clock.now.toISOString(),
    });
    const timestamp = headerOf(request, 'assay-timestamp') ?? '';
    expect(Number(timestamp)).toBe(watching.service.clock.now.getTime() / 1_000);
    const signature = createHmac('sha256', json.signing_key).update(`${timestamp}.${body}`).digest('hex');
    expect(headerOf(request, 'assay-signature')).toBe(`v1=${signature}`);
    // Nothing new, nothing sent.
    expect(await round()).toEqual({ events: 0, delivered: 0 });
    expect(watching.receiver.requests).toHaveLength(1);
  });

  it('are told of a change also when a wrong clock has dated what was seen last (L76)', async () => {
    await check();
    await send({ action: 'watch', webhook: HOOK });
    const right = watching.service.clock.now;
    watching.pass(1_440);
    await check();
    expect(await round()).toEqual({ events: 0, delivered: 0 });
    watching.service.clock.now = right;
    await changed();
    expect(await round()).toEqual({ events: 1, delivered: 1 });
    expect(await round()).toEqual({ events: 0, delivered: 0 });
  });

  it('two processes send an event once', async () => {
    await check();
    await send({ action: 'watch', webhook: HOOK });
    await changed();
    await watching.hurry();
    const other = await watching.service.place.open();
    const told = await Promise.all([watching.roundOf(watching.service.store)(), watching.roundOf(other)()]);
    await Promise.all([watching.roundOf(watching.service.store)(), watching.roundOf(other)()]);
    expect(told.reduce((sum, { events }) => sum + events, 0)).toBe(1);
    expect(watching.receiver.requests).toHaveLength(1);
  });

  it('are tried again with the same id, and given up with their watch after six attempts', async () => {
    await check();
    await send({ action: 'watch', webhook: HOOK });
    await changed();
    watching.hook = (socket) => socket.end(httpAnswer(500, []));
    for (let attempt = 0; attempt < 6; attempt += 1) {
      expect(await watching.service.place.ask('select id from watches')).toHaveLength(1);
      await round();
    }
    const ids = watching.receiver.requests.map((request) => JSON.parse(bodyOf(request)).id);
    expect([ids.length, new Set(ids).size]).toEqual([6, 1]);
    expect(await watching.service.place.ask('select id from watches')).toEqual([]);
    expect(await watching.service.place.ask('select id from webhook_events')).toEqual([]);
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
    watching.hook = script;
    const { parts, seen } = gate();
    expect(await round(parts)).toEqual({ events: 1, delivered: 0 });
    expect([seen.asked, watching.receiver.requests.length]).toEqual([['seller.example.net'], 1]);
    watching.hook = (socket) => socket.end(httpAnswer(200, []));
    expect(await round()).toEqual({ events: 0, delivered: 1 });
  });

  it('never go to an address that the gate refuses, whatever the name led to before', async () => {
    await check();
    expect((await send({ action: 'watch', webhook: HOOK })).status).toBe(200);
    await changed();
    const { parts, seen } = gate(['10.0.0.7']);
    expect(await round(parts)).toEqual({ events: 1, delivered: 0 });
    expect([seen.asked, seen.dialled, watching.receiver.requests]).toEqual([['seller.example.net'], [], []]);
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

  it('that failed are dropped when their host has opted out since, and the watch stays', async () => {
    await check();
    await send({ action: 'watch', webhook: HOOK });
    await changed();
    watching.hook = (socket) => socket.end(httpAnswer(500, []));
    expect(await round()).toEqual({ events: 1, delivered: 0 });
    watching.hook = (socket) => socket.end(httpAnswer(200, []));
    const { parts } = gate();
    const policy = publicWeb({
      addresses: publicAddresses([]),
      ownHosts: new Set(),
      optOuts: optOutsOf(['owned.example']),
    });
    expect(await round({ ...parts, policy })).toEqual({ events: 0, delivered: 0 });
    expect(watching.receiver.requests).toHaveLength(1);
    expect(await watching.service.place.ask('select id from webhook_events')).toEqual([]);
    expect(await watching.service.place.ask('select id from watches')).toHaveLength(1);
  });

  it.each([
    ['what was seen before', true, 'skip', 'pay'],
    ['what is seen now', false, 'pay', 'skip'],
  ])('do not say a corrected verdict of %s', async (_, isBefore, before, after) => {
    const first = await check();
    await send({ action: 'watch', webhook: HOOK });
    const second = await changed();
    const receiptId = (isBefore ? first : second).split('/').at(-1);
    const told = { receiptId, at: watching.service.clock.now, was: 'pay', because: 'ours' } as const;
    await watching.service.store.corrections.add({ ...told, is: 'skip' });
    expect(await round()).toEqual({ events: 1, delivered: 1 });
    const [request = ''] = watching.receiver.requests;
    expect(JSON.parse(bodyOf(request))).toMatchObject({
      before: { verdict: before },
      after: { verdict: after },
    });
  });

  it('that failed say the verdict that is right by now', async () => {
    await check();
    await send({ action: 'watch', webhook: HOOK });
    const receiptId = (await changed()).split('/').at(-1);
    watching.hook = (socket) => socket.end(httpAnswer(500, []));
    expect(await round()).toEqual({ events: 1, delivered: 0 });
    const told = { receiptId, at: watching.service.clock.now, was: 'pay', because: 'ours' } as const;
    await watching.service.store.corrections.add({ ...told, is: 'skip' });
    watching.hook = (socket) => socket.end(httpAnswer(200, []));
    expect(await round()).toEqual({ events: 0, delivered: 1 });
    const [first, second] = watching.receiver.requests.map((request) => JSON.parse(bodyOf(request)));
    expect(second).toEqual({ ...first, after: { ...first.after, verdict: 'skip' } });
  });

  it('that failed are dropped when nothing but a wrong verdict had changed', async () => {
    await check();
    await send({ action: 'watch', webhook: HOOK });
    watching.pass(10);
    watching.path = '/trial';
    const receipt = await check();
    watching.hook = (socket) => socket.end(httpAnswer(500, []));
    expect(await round()).toEqual({ events: 1, delivered: 0 });
    const [request = ''] = watching.receiver.requests;
    const { before, after } = JSON.parse(bodyOf(request));
    expect([before.verdict, after]).toEqual(['pay', { ...before, verdict: 'recheck' }]);
    const told = { receiptId: receipt.split('/').at(-1), at: watching.service.clock.now } as const;
    await watching.service.store.corrections.add({ ...told, was: 'recheck', because: 'ours', is: 'pay' });
    expect(await round()).toEqual({ events: 0, delivered: 0 });
    expect(watching.receiver.requests).toHaveLength(1);
    expect(await watching.service.place.ask('select id from webhook_events')).toEqual([]);
  });

  it('end after 90 days unless they are renewed', async () => {
    await check();
    const { json } = await send({ action: 'watch', webhook: HOOK });
    expect(json.until).toBe('2027-02-13T12:00:00.000Z');
    watching.pass(90 * 24 * 60);
    await round();
    expect(await watching.service.place.ask('select id from watches')).toEqual([]);
  });
});
