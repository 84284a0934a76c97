import { beforeAll, describe, expect, it } from 'vitest';
import { expectProblem, storeCalls, useService } from '../../support/asking.ts';
import {
  at,
  BROWSER,
  INDEX,
  KNOWN_ANSWER,
  LISTED,
  PAYEE,
  pass,
  storePasts,
  TX,
} from '../../support/known-services.ts';
import { DOORS, startService } from '../../support/running/running-service.ts';

describe.each(DOORS)('GET /v1/services/{id} through the %s', (door) => {
  const service = useService({ door, world: { index: INDEX } });
  const json = async (id: string) => (await service.ask(`/v1/services/${id}`)).json;
  const page = (id: string) => service.ask(`/v1/services/${id}`, { headers: BROWSER });

  beforeAll(() => storePasts(service.store));

  it('200: everything that is known about it', async () => {
    const { status, header, json: body } = await service.ask('/v1/services/in-full');
    expect(status).toBe(200);
    expect(header('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toEqual({
      id: 'in-full',
      name: 'Plain Weather',
      provider: 'Example Instruments',
      category: 'weather',
      description: 'Current temperature and wind for a pair of coordinates.',
      endpoint: 'https://weather.example.com/v1/now',
      method: 'GET',
      example: { method: 'GET', url: 'https://weather.example.com/v1/now', body: null },
      price_usd: '0.01',
      price_asset: 'USDC',
      network: 'eip155:8453',
      listed_pay_to: LISTED,
      tasks: ['weather', 'weather-forecast'],
      source: { list: 'a-list', seen_on: '2026-11-01' },
      pass_rate: 0.5,
      pass_rate_low: 0.095,
      delivered_rate: 0.667,
      graded_receipts: 2,
      passed_receipts: 1,
      receipts_considered: 3,
      quality_test: { input: KNOWN_ANSWER.input, pass_if: KNOWN_ANSWER.pass_if },
      facts_only_reason: null,
      last_check: {
        checked_at: '2026-11-15T08:00:00.000Z',
        reachable: true,
        x402_challenge: true,
        quoted_price_usd: 0.05,
        price_matches_listing: false,
      },
      newest_receipt_at: '2026-11-15T11:00:00.000Z',
      stale: false,
      pay_to: [PAYEE],
      receipts: [
        expect.objectContaining({
          time: '2026-11-15T11:00:00.000Z',
          tx: null,
          explorer_url: null,
          charged_usd: null,
        }),
        expect.objectContaining({ time: '2026-11-15T10:00:00.000Z', quality: 'fail' }),
        {
          time: '2026-11-15T09:00:00.000Z',
          tx: TX,
          explorer_url: `https://basescan.org/tx/${TX}`,
          charged_usd: '0.01',
          delivered: true,
          quality: 'pass',
          quality_reason: 'the check passed',
          http_status: 200,
          latency_ms: 120,
        },
      ],
    });
  });

  it('says of the service what a lookup of it says', async () => {
    for (const id of ['in-full', 'busy', 'never-called']) {
      const { results } = (await service.ask(`/v1/lookup?endpoint=${id}&n=20`)).json;
      expect(await json(id)).toMatchObject(results[0]);
    }
    const { facts_only } = (await service.ask('/v1/lookup?endpoint=broken&n=20')).json;
    expect(await json('broken')).toMatchObject(facts_only[0]);
  });

  it.each<[string, string, object]>([
    [
      'a service that was never called',
      'never-called',
      {
        network: 'eip155:137',
        listed_pay_to: null,
        pass_rate: null,
        delivered_rate: null,
        receipts: [],
        pay_to: [],
        last_check: null,
        quality_test: null,
        newest_receipt_at: null,
        stale: true,
        facts_only_reason: null,
      },
    ],
    [
      'one that delivers nothing any more (G25)',
      'broken',
      {
        facts_only_reason: 'the last 3 paid calls delivered nothing',
        pass_rate: null,
        pass_rate_low: null,
        delivered_rate: null,
        graded_receipts: 1,
        receipts_considered: 4,
      },
    ],
    ['one that the operator pinned', 'pinned', { facts_only_reason: 'asks for a login', pass_rate: null }],
    [
      'the last twenty of many calls',
      'busy',
      {
        receipts_considered: 20,
        graded_receipts: 20,
        passed_receipts: 20,
        pass_rate: 1,
        facts_only_reason: null,
      },
    ],
  ])('%s', async (_, id, members) => {
    expect(await json(id)).toMatchObject(members);
  });

  it('has at most twenty receipts, the newest first', async () => {
    const times = (await json('busy')).receipts.map(({ time }: { time: string }) => time);
    expect(times).toHaveLength(20);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(times[0]).toBe('2026-11-15T00:00:00.000Z');
  });

  it.each<[string, string]>([
    ['nobody has this id', 'nobody'],
    ['ids are spelled in lower case', 'In-Full'],
    ['a URL is no id', encodeURIComponent('https://weather.example.com/v1/now')],
    ['a name of every object is none', '__proto__'],
    ['an id with a blank', 'in-full%20'],
  ])('404: %s', async (_, id) => {
    expectProblem(await service.ask(`/v1/services/${id}`), 404, 'not_found');
    const { status, text } = await page(id);
    expect([status, text]).toEqual([404, expect.stringContaining('/problems#not_found')]);
  });

  it('404: there is nothing behind it', async () => {
    expectProblem(await service.ask('/v1/services/in-full/receipts'), 404, 'not_found');
  });

  it('405: POST', async () => {
    const answer = await service.ask('/v1/services/in-full', { method: 'POST' });
    expectProblem(answer, 405, 'method_not_allowed');
    expect(answer.header('allow')).toBe('GET, HEAD, OPTIONS');
  });

  it('is free however often it is asked, and whatever is behind the question mark', async () => {
    const from = '100.64.9.10';
    const plain = await service.ask('/v1/services/in-full', { from });
    for (let n = 0; n < 10; n += 1) {
      expect((await service.ask(`/v1/services/in-full?client=x&n=${n}`, { from })).text).toBe(plain.text);
    }
    expect(plain.header('ratelimit')).toBeNull();
    expect((await service.ask('/v1/lookup?task=weather', { from })).json.access.free_used_today).toBe(1);
  });

  it.each([
    ['JSON', {}, 'application/json; charset=utf-8'],
    ['a page', BROWSER, 'text/html; charset=utf-8'],
  ])('%s: a tag of its own, a short time to keep it, Vary, and 304', async (_, headers, type) => {
    const first = await service.ask('/v1/services/in-full', { headers });
    expect([first.header('content-type'), first.header('cache-control')]).toEqual([
      type,
      'public, max-age=60',
    ]);
    expect(first.header('vary')).toBe('Accept');
    const etag = first.header('etag') ?? '';
    const again = await service.ask('/v1/services/in-full', {
      headers: { ...headers, 'if-none-match': etag },
    });
    expect([again.status, again.text, again.header('vary')]).toEqual([304, '', 'Accept']);
    const other = { ...(type.startsWith('text') ? {} : BROWSER), 'if-none-match': etag };
    expect((await service.ask('/v1/services/in-full', { headers: other })).status).toBe(200);
  });

  it('HEAD has the headers of GET and no body', async () => {
    const { status, text, header } = await service.ask('/v1/services/in-full', {
      method: 'HEAD',
      headers: BROWSER,
    });
    expect([status, text, header('content-type')]).toEqual([200, '', 'text/html; charset=utf-8']);
  });

  it('shows a new call after at most a second', async () => {
    const considered = async () => (await json('pinned')).receipts_considered;
    service.at('2026-11-15T13:00:00.000Z');
    expect(await considered()).toBe(0);
    await storeCalls(service.store, 'pinned', [{ ...pass, ...at('12:30:00') }]);
    service.at('2026-11-15T13:00:00.999Z');
    expect(await considered()).toBe(0);
    service.at('2026-11-15T13:00:01.000Z');
    expect(await considered()).toBe(1);
  });
});

it('503 when the store cannot be read, and nothing of it is kept', async () => {
  const service = await startService({ world: { index: INDEX } });
  await service.place.ask('alter table paid_calls rename to away');
  expectProblem(await service.ask('/v1/services/in-full'), 503, 'store_unavailable');
  await service.place.ask('alter table away rename to paid_calls');
  expect((await service.ask('/v1/services/in-full')).status).toBe(200);
  await service.close();
});
