import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTaskIndex } from '../../../src/core/catalog/task-index.ts';
import type { ListedInput } from '../../../src/core/input/listed-input.ts';
import { aService } from '../../../tools/samples/catalog.ts';
import { PAYEE } from '../../../tools/samples/challenge.ts';
import { listedInput, LISTED as ONE_CENT } from '../../../tools/samples/listed.ts';
import { checkOf, EXEMPT, expectProblem, SPOT_CHECK, useService } from '../../support/asking.ts';
import { crawled, publishCrawl } from '../../support/crawling/published-crawl.ts';
import { askedOf, carefulSeller } from '../../support/probing/careful-seller.ts';
import { DOORS } from '../../support/running/running-service.ts';
import { sized } from '../../support/sized.ts';

const QUERY = listedInput({ example: { query: [['q', 'tea']], body: null }, required: ['q'] });
const BODY = listedInput({ example: { query: [], body: '{"city":"Bern"}' }, required: ['city'] });
const BUILT = listedInput({ built: { query: [], body: '{"city":"London"}' }, required: ['city'] });
const CLAIM = { claimedPrice: ONE_CENT.price, listedPayTo: PAYEE, listedNetwork: ONE_CENT.network };
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const LISTED: readonly (readonly [url: string, 'GET' | 'POST', ListedInput | null])[] = [
  ['http://a.example/query', 'GET', QUERY],
  ['http://b.example/body', 'POST', BODY],
  ['http://c.example/body', 'POST', BUILT],
  ['http://d.example/body', 'POST', listedInput({ required: ['city'] })],
  ['http://e.example/post-only', 'POST', BODY],
  ['http://f.example/login', 'GET', QUERY],
  ['http://g.example/open', 'POST', BODY],
  ['http://h.example/act', 'POST', BODY],
  ['http://i.example/busy', 'POST', BODY],
  ['http://j.example/never', 'GET', QUERY],
  ['http://k.example/body', 'POST', null],
  ['http://l.example/bern', 'POST', BUILT],
  ['http://m.example/bern', 'POST', null],
];

describe.each(DOORS)('an endpoint that looks at its input first, through the %s (G100)', (door) => {
  const index = buildTaskIndex([
    aService({
      id: 'ours',
      endpoint: 'http://ours.example/query',
      pay_to: PAYEE,
      example: { query: { q: 'tea' } },
    }),
  ]);
  const service = useService({ door, seller: carefulSeller, world: { index } });
  const post = async (body: object, headers: Readonly<Record<string, string>> = EXEMPT) =>
    service.ask(SPOT_CHECK, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const check = async (url: string, more: Readonly<Record<string, string>> = {}) => {
    const { json } = await service.ask(checkOf(url, more), { headers: EXEMPT });
    return { ...json, receipt: (await service.ask(`/v1/receipts/${json.receipt_id}`)).json };
  };
  const asked = () => askedOf(service.sellerRequests);

  beforeAll(async () => {
    const rows = LISTED.map(([url, method, input], n) =>
      crawled(url, {
        id: `00000000${10 + n}`,
        ...CLAIM,
        method,
        ...(input === null ? {} : { listedInput: input }),
      }),
    );
    await publishCrawl(service.store.runs, 'run-1', rows);
  });
  beforeEach(() => service.sellerRequests.splice(0));

  it("gets the listing's example after it refused the bare URL, and is judged by its 402", async () => {
    const { verdict, reason, input, needs_input, receipt } = await check('http://a.example/query');
    expect([verdict, reason, needs_input]).toEqual(['pay', 'price_ok', null]);
    expect(asked()).toEqual(['GET /query', 'GET /query?q=tea']);
    expect(input).toEqual({ source: 'listing_example', sha256: sha256('/query?q=tea') });
    expect([receipt.url, receipt.input]).toEqual(['http://a.example/query', input]);
  });

  it('gets an example body, or one built from the schema', async () => {
    expect((await check('http://b.example/body', { method: 'POST' })).verdict).toBe('pay');
    expect((await check('http://c.example/body', { method: 'POST' })).input.source).toBe('listing_schema');
    expect(asked()).toEqual([
      'POST /body {}',
      'POST /body {"city":"Bern"}',
      'POST /body {}',
      'POST /body {"city":"London"}',
    ]);
  });

  it("gets the caller's input before any other", async () => {
    const { json } = await post({ url: 'http://k.example/body', method: 'POST', input: { city: 'Chur' } });
    expect([json.verdict, json.input]).toEqual([
      'pay',
      { source: 'caller', sha256: sha256('{"city":"Chur"}') },
    ]);
    expect(asked()).toEqual(['POST /body {}', 'POST /body {"city":"Chur"}']);
  });

  it('is asked again for another input, and not for the same one', async () => {
    for (const city of ['Chur', 'Davos', 'Davos']) {
      await post({ url: 'http://k.example/body', method: 'POST', input: { city } });
    }
    expect(asked()).toEqual(['POST /body {}', 'POST /body {"city":"Davos"}']);
  });

  it('is one of the catalog: its example is known without a crawl', async () => {
    expect((await check('http://ours.example/query')).verdict).toBe('pay');
    expect(asked()).toEqual(['GET /query', 'GET /query?q=tea']);
  });

  it('says what is missing where nothing can be sent', async () => {
    const { verdict, reason, needs_input, receipt } = await check('http://d.example/body', {
      method: 'POST',
    });
    expect([verdict, reason]).toEqual(['skip', 'no_paywall']);
    expect(needs_input).toEqual({
      method: 'POST',
      status: 422,
      tried: 'bare',
      missing: ['city'],
      example: null,
    });
    expect([receipt.needs_input, receipt.rules_version]).toEqual([needs_input, '6']);
    expect(receipt.reason_text).toBe(
      'The endpoint answered HTTP 422 and asked for no payment yet; it may need input first. Check it again with the input that it needs.',
    );
  });

  it('is judged by its first answer when our own input was a bad one', async () => {
    const { reason, needs_input } = await check('http://l.example/bern', { method: 'POST' });
    expect([reason, needs_input]).toEqual([
      'no_paywall',
      { method: 'POST', status: 422, tried: 'listing_schema', missing: ['city'], example: null },
    ]);
    expect(asked()).toEqual(['POST /bern {}', 'POST /bern {"city":"London"}']);
  });

  it('says what the answer itself names', async () => {
    const { needs_input } = await check('http://unlisted.example/body', { method: 'POST' });
    expect(needs_input).toMatchObject({ tried: 'bare', missing: ['city'] });
  });

  it("is not closed by one caller's input for the others", async () => {
    const url = 'http://m.example/bern';
    await post({ url, method: 'POST', input: { ping: 1 } });
    expect((await post({ url, method: 'POST', input: { city: 'Bern' } })).json.verdict).toBe('pay');
    service.at('2026-11-15T12:10:00.000Z');
    await post({ url, method: 'POST', input: { ping: 1 } });
    expect(asked().filter((request) => request.includes('ping'))).toHaveLength(1);
  });

  it('says that the example did not help', async () => {
    const { needs_input } = await check('http://j.example/never');
    expect(needs_input).toEqual({
      method: 'GET',
      status: 400,
      tried: 'listing_example',
      missing: [],
      example: { q: 'tea' },
    });
  });

  it('costs the caller nothing, and its free use is given back (G98)', async () => {
    const from = '203.0.113.77';
    const first = await service.ask(checkOf('http://d.example/body', { method: 'POST' }), { from });
    expect(first.json.access).toMatchObject({ free_used_today: 0 });
    const second = await service.ask(checkOf('http://d.example/body', { method: 'POST' }), { from });
    expect([second.status, second.json.verdict]).toEqual([200, 'skip']);
    expect(Object.keys(second.json)).toHaveLength(6);
  });

  it('wants the other method, and says so', async () => {
    const { other_method, receipt } = await check('http://e.example/post-only');
    expect(other_method).toBe('POST');
    expect(receipt.reason_text).toContain('Check it again with method POST.');
    expect(asked()).toEqual(['GET /post-only']);
  });

  it.each([
    ['wants a login', 'http://f.example/login', 'GET'],
    ['has no time', 'http://i.example/busy', 'POST'],
    ['did what it does at the first request', 'http://h.example/act', 'POST'],
  ])('gets nothing but the bare request when it %s', async (_, url, method) => {
    expect((await check(url, { method })).needs_input).toBeNull();
    expect(asked()).toHaveLength(1);
  });

  it('gets input only once when it serves it for nothing', async () => {
    const url = 'http://g.example/open';
    expect(await check(url, { method: 'POST' })).toMatchObject({ reason: 'no_paywall', needs_input: null });
    expect(asked()).toEqual(['POST /open {}', 'POST /open {"city":"Bern"}']);
    service.at('2026-11-15T12:10:00.000Z');
    expect(await check(url, { method: 'POST' })).toMatchObject({ needs_input: { tried: 'bare' } });
    await post({ url, method: 'POST', input: { city: 'Chur' } });
    expect(asked().slice(2)).toEqual(['POST /open {}', 'POST /open {}']);
  });

  it('of a dry run never gets what the caller sent', async () => {
    const dry = { url: 'http://k.example/body', method: 'POST', mode: 'dry-run', input: { city: 'Chur' } };
    service.at('2026-11-15T12:20:00.000Z');
    await post(dry, {});
    expect(asked()).toEqual(['POST /body {}']);
  });

  it.each<[string, object]>([
    ['a text', { input: 'city' }],
    ['a list', { input: ['city'] }],
    ['too much', { input: { city: 'x'.repeat(4_096) } }],
    ['too deep', { input: JSON.parse(`${'{"a":'.repeat(9)}1${'}'.repeat(9)}`) }],
    ['for GET', { input: { city: 'Chur' }, method: 'GET' }],
  ])('refuses an input that is %s, by name', async (_, body) => {
    const answer = await post({ url: 'http://k.example/body', method: 'POST', ...body });
    expectProblem(answer, 400, 'bad_request', 'input');
    expect(asked()).toEqual([]);
  });

  it('never gets a second request when nobody lists it', { timeout: 60_000 }, async () => {
    const kinds = ['query', 'body', 'post-only', 'item', 'open', 'send', 'act', 'never', 'honest'];
    let n = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...kinds),
        fc.constantFrom('GET', 'POST'),
        fc.jsonValue({ maxDepth: 3 }).map(withSmallNumbers),
        async (kind, method, value) => {
          service.sellerRequests.splice(0);
          n += 1;
          const input = method === 'POST' ? { input: { city: value } } : {};
          await post({ url: `http://u${n}.example/${kind}`, method, ...input });
          expect(asked()).toEqual([method === 'POST' ? `POST /${kind} {}` : `GET /${kind}`]);
        },
      ),
      { numRuns: sized(40, 200) },
    );
  });
});

/** Larger ones are refused. */
function withSmallNumbers(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, one) => (typeof one === 'number' ? one % 1_000_000 : one)));
}
