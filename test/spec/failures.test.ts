import type { Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Store } from '../../src/adapters/store/store.ts';
import { httpAnswer } from '../support/probing/fake-seller.ts';
import {
  DOORS,
  type Received,
  type ServiceOptions,
  startService,
  type TestService,
} from '../support/running/running-service.ts';
import { newSqlitePlace } from '../support/storing/stores.ts';

const SPOT_CHECK = '/v1/products/endpoint-spot-check';
const CHECK = `${SPOT_CHECK}?url=http://seller.example/honest`;
/** Words of our own libraries, files and languages; none of them is a caller's business. */
const INTERNALS =
  /sqlite|kysely|postgres|database|node_modules|disk full|secret|\bat \S+:\d+|\w\.[jt]s\b|[a-z]Error\b/i;

describe.each(DOORS)('when we fail, through the %s', (door) => {
  const open: TestService[] = [];
  const start = async (options: Omit<ServiceOptions, 'door'> = {}) => {
    const service = await startService({ door, ...options });
    open.push(service);
    return service;
  };
  afterEach(async () => {
    await Promise.all(open.splice(0).map((service) => service.close()));
  });

  describe('503: the store is down (G10)', () => {
    it.each([
      ['a lookup', '/v1/lookup?task=weather'],
      ['a live check', CHECK],
      ['a dry run', `${CHECK}&mode=dry-run`],
      ['a receipt', '/v1/receipts/sc-0000000000000001'],
      ['a crawl receipt', '/v1/receipts/0000000001'],
      ['receipts of a URL', '/v1/receipts/by-url?url=http://seller.example/'],
      ['stored receipts', '/v1/receipts?type=live'],
      ['all receipts', '/v1/receipts'],
      ['skips', '/v1/skips.json'],
      ['skips for people', '/v1/skips'],
      ['skips as CSV', '/v1/skips.csv'],
      ['the feed of skips', '/v1/skips.atom'],
      ['readiness', '/readyz'],
    ])('%s', async (_, path) => {
      const service = await start();
      await service.store.close();
      const answer = await service.ask(path);
      expect(problemOf(answer)).toEqual([503, 'store_unavailable', '5', 'no-store']);
      expect(answer.text).not.toMatch(INTERNALS);
      expect(service.sellerRequests).toEqual([]);
    });

    it('POST of a check', async () => {
      const service = await start();
      await service.store.close();
      const body = JSON.stringify({ url: 'http://seller.example/honest' });
      const headers = { 'content-type': 'application/json' };
      const answer = await service.ask(SPOT_CHECK, { method: 'POST', body, headers });
      expect(problemOf(answer)).toEqual([503, 'store_unavailable', '5', 'no-store']);
    });

    it.each([
      ['health', '/healthz', 200],
      ['tasks', '/v1/tasks', 200],
      ['a mistake of the caller', '/v1/lookup', 400],
      ['a URL that is never fetched', `${SPOT_CHECK}?url=http://127.0.0.1/`, 400],
      ['a price that is always the same', '/v1/lookup/paid', 402],
      ['an id that cannot exist', '/v1/receipts/nothing', 404],
    ])('%s needs no store', async (_, path, status) => {
      const service = await start();
      await service.store.close();
      expect((await service.ask(path)).status).toBe(status);
    });
  });

  describe('a failure costs the caller nothing (G06, G55)', () => {
    const from = '100.64.3.3';

    it('a receipt that cannot be stored gives the free check back', async () => {
      const state = { broken: true };
      const service = await start(
        await brokenStore(state, (store, fail) => ({
          ...store,
          checks: { ...store.checks, finish: (...args) => fail() ?? store.checks.finish(...args) },
        })),
      );
      expect(problemOf(await service.ask(CHECK, { from }))).toEqual([
        503,
        'store_unavailable',
        '5',
        'no-store',
      ]);
      state.broken = false;
      const { status, json } = await service.ask(CHECK, { from });
      expect([status, json.access.free_used_today, json.access.free_remaining_today]).toEqual([200, 1, 0]);
    });

    it('facts that cannot be read give the lookup back', async () => {
      const state = { broken: true };
      const service = await start(
        await brokenStore(state, (store, fail) => ({
          ...store,
          paidCalls: { ...store.paidCalls, callsOf: (...args) => fail() ?? store.paidCalls.callsOf(...args) },
        })),
      );
      for (let n = 0; n < 6; n += 1) {
        expect((await service.ask('/v1/lookup?task=weather', { from })).status).toBe(503);
      }
      state.broken = false;
      const { status, json } = await service.ask('/v1/lookup?task=weather', { from });
      expect([status, json.access.free_used_today]).toEqual([200, 1]);
    });

    it('a bug gives the free check back', async () => {
      const state = { broken: true };
      const entropy = (bytes: number) => {
        if (state.broken) throw new Error('the secret reason');
        return new Uint8Array(bytes);
      };
      const service = await start({ world: { entropy } });
      expect((await service.ask(CHECK, { from })).status).toBe(500);
      state.broken = false;
      expect((await service.ask(CHECK, { from })).json.access.free_used_today).toBe(1);
    });
  });

  describe('500: a bug', () => {
    it.each<[string, unknown]>([
      ['an error', new Error('the secret reason in /srv/assay/dist/main.js')],
      ['an error with a cause', new Error('outer secret', { cause: new Error('inner secret') })],
      ['a text', 'the secret reason'],
      ['nothing', undefined],
    ])('%s is told to the operator and hidden from the caller', async (_, thrown) => {
      const entropy = () => {
        throw thrown;
      };
      const service = await start({ world: { entropy } });
      const answer = await service.ask(CHECK);
      expect([answer.status, answer.header('content-type')]).toEqual([
        500,
        'application/problem+json; charset=utf-8',
      ]);
      expect(answer.json).toEqual({
        type: 'https://assay.example.org/problems#internal_error',
        title: 'Internal error',
        status: 500,
        detail: 'Internal error; quote the instance if you report it.',
        instance: answer.header('x-request-id'),
        code: 'internal_error',
        error: 'Internal error; quote the instance if you report it.',
      });
      expect(answer.header('cache-control')).toBe('no-store');
      expect(service.faults).toEqual([thrown]);
      expect(service.answered.map(({ status }) => status)).toEqual([500]);
      expect((await service.ask('/v1/tasks')).status).toBe(200);
    });
  });

  describe('503: too many at once', () => {
    it('of one kind are sent away, other kinds are served (G102)', async () => {
      const held: Socket[] = [];
      const service = await start({
        world: { pools: { read: 2, check: 2, purchase: 2, message: 2 } },
        seller: (socket) => held.push(socket),
        timeoutMs: 20_000,
      });
      const waiting = ['a', 'b'].map((host) => service.ask(`${SPOT_CHECK}?url=http://${host}.example/`));
      await vi.waitFor(() => expect(held).toHaveLength(2), { timeout: 120_000 });
      const from = '100.64.4.4';
      expect(problemOf(await service.ask(CHECK, { from }))).toEqual([503, 'overloaded', '1', 'no-store']);
      for (const path of ['/v1/lookup?task=weather', '/v1/tasks']) {
        expect((await service.ask(path, { from })).status).toBe(200);
      }
      for (const socket of held) socket.end(httpAnswer(503, []));
      expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200]);
      expect((await service.ask(`${SPOT_CHECK}?url=http://a.example/`, { from })).status).toBe(200);
    });

    it('of those who ask for one slow target wait together, and only one request reaches it', async () => {
      const held: Socket[] = [];
      const service = await start({ seller: (socket) => held.push(socket), timeoutMs: 20_000 });
      const waiting = Array.from({ length: 50 }, () => service.ask(`${SPOT_CHECK}?url=http://slow.example/`));
      await vi.waitFor(() => expect(held).toHaveLength(1), { timeout: 120_000 });
      for (const socket of held) socket.end(httpAnswer(200, [], '{}'));
      const answers = await Promise.all(waiting);
      expect(new Set(answers.map(({ status, json }) => `${status} ${json.verdict}`))).toEqual(
        new Set(['200 skip']),
      );
      expect(service.sellerRequests).toHaveLength(1);
    });
  });
});

function problemOf({ status, json, header }: Received): unknown[] {
  expect(json.status).toBe(status);
  expect(json.instance).toBe(header('x-request-id'));
  return [status, json.code, header('retry-after'), header('cache-control')];
}

/** A store of which one operation fails for as long as `state.broken` says so. */
async function brokenStore(
  state: { readonly broken: boolean },
  bend: (store: Store, fail: () => Promise<never> | undefined) => Store,
): Promise<ServiceOptions> {
  const place = await newSqlitePlace();
  const fail = () => (state.broken ? Promise.reject(new Error('disk full')) : undefined);
  return { place, world: { store: bend(await place.open(), fail) } };
}
