import { beforeEach, describe, expect, it } from 'vitest';
import { expectProblem, useService } from '../../support/asking.ts';
import { DOORS, freshAddress, NOON, type Sent } from '../../support/running/running-service.ts';
import { anOwner, publishing } from '../../support/signing-seller.ts';

const owner = anOwner();
const URL_WATCHED = 'http://owned.example/honest';
const HOOK = 'https://seller.example.net/hook?for=assay';

/** Deliveries are in test/contract/sellers. */
describe.each(DOORS)('a watch through the %s (gap L113)', (door) => {
  const service = useService({ door, seller: publishing([owner.token]) });
  const sending = (sent: Sent) => (statement: object) => {
    const request = owner.request({ url: URL_WATCHED, at: NOON.toISOString(), ...statement });
    return service.ask('/v1/sellers', { ...request, ...sent });
  };
  /** A network adds few watches in a day. */
  let send = sending({});
  beforeEach(() => {
    send = sending({ from: freshAddress() });
  });

  it('400 for a URL with a secret, because events name it', async () => {
    const url = 'http://owned.example/honest?api_key=sk_live_51H8xAbCdEfGhIjKlMnOpQrSt';
    expect((await send({ action: 'watch', url, webhook: HOOK })).json.field).toBe('statement.url');
  });

  it('the same webhook again is one watch with a new key', async () => {
    const keys: string[] = [];
    for (const at of ['2026-11-15T12:00:01Z', '2026-11-15T12:00:02Z']) {
      keys.push((await send({ action: 'watch', webhook: HOOK, at })).json.signing_key);
    }
    expect(new Set(keys).size).toBe(2);
    expect((await send({ action: 'unwatch' })).json.ended).toBe(1);
  });

  it.each([
    ['a private address', 'https://10.0.0.1/hook'],
    ['loopback', 'https://127.0.0.1/hook'],
    ['our own host', 'https://assay.example.org/hook'],
    ['http', 'http://seller.example.net/hook'],
    ['a database port', 'https://seller.example.net:5432/'],
  ])('400 for a webhook at %s', async (_, webhook) => {
    const { json } = await send({ action: 'watch', webhook });
    expect(json).toMatchObject({ status: 400, code: 'bad_request', field: 'statement.webhook' });
  });

  it('400 without a webhook, or with a password in it', async () => {
    expect((await send({ action: 'watch' })).json.field).toBe('statement.webhook');
    const { json, text } = await send({ action: 'watch', webhook: 'https://me:hunter2@seller.example.net' });
    expect([json.field, text.includes('hunter2')]).toEqual(['statement.webhook', false]);
  });

  it('409 for the eleventh of a key, of whatever host', async () => {
    const url = (n: number) => `http://owned-${n}.example/honest`;
    for (let n = 0; n < 10; n += 1) {
      expect((await send({ action: 'watch', webhook: HOOK, url: url(n) })).status).toBe(200);
    }
    expect((await send({ action: 'watch', webhook: HOOK, url: url(10) })).json.code).toBe('watch_limit');
    for (let n = 0; n < 10; n += 1) await send({ action: 'unwatch', url: url(n) });
    expect((await send({ action: 'watch', webhook: HOOK, url: url(10) })).status).toBe(200);
    await send({ action: 'unwatch', url: url(10) });
  });

  it('429 for the twelfth of a network in a day, also when they are ended, and for no other network', async () => {
    const add = (n: number) => send({ action: 'watch', webhook: HOOK, url: `http://owned-${n}.example/day` });
    for (let n = 0; n < 11; n += 1) {
      expect((await add(n)).status).toBe(200);
      await send({ action: 'unwatch', url: `http://owned-${n}.example/day` });
    }
    const refused = await add(11);
    expectProblem(refused, 429, 'seller_limit');
    expect(refused.header('retry-after')).toBe('43200');
    send = sending({ from: freshAddress() });
    expect((await add(11)).status).toBe(200);
    await send({ action: 'unwatch', url: 'http://owned-11.example/day' });
  });

  it('429 for the twelfth of a whole IPv6 /48 in a day: alone it never has all of them', async () => {
    const add = async (n: number) => {
      send = sending({ from: `2001:db8:${door === 'app' ? '7a' : '7b'}:${n.toString(16)}::1` });
      const { status } = await send({
        action: 'watch',
        webhook: HOOK,
        url: `http://owned-${n}.example/wide`,
      });
      await send({ action: 'unwatch', url: `http://owned-${n}.example/wide` });
      return status;
    };
    for (let n = 0; n < 11; n += 1) expect(await add(n)).toBe(200);
    expect(await add(11)).toBe(429);
  });

  it('409 for the sixth of an origin; unwatch ends them all', async () => {
    for (let n = 0; n < 5; n += 1) {
      expect((await send({ action: 'watch', webhook: `${HOOK}&n=${n}` })).status).toBe(200);
    }
    expect((await send({ action: 'watch', webhook: `${HOOK}&n=6` })).json.code).toBe('watch_limit');
    // Another port may be another owner's: each origin has its own proof.
    const url = 'http://owned.example:8080/honest';
    expect((await send({ action: 'watch', webhook: HOOK, url })).status).toBe(200);
    await send({ action: 'unwatch', url });
    expect((await send({ action: 'unwatch', at: '2026-11-15T12:00:09Z' })).json).toEqual({
      action: 'unwatch',
      url: URL_WATCHED,
      ended: 5,
    });
    expect((await send({ action: 'watch', webhook: `${HOOK}&n=6` })).status).toBe(200);
  });
});
