import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PAYEE, USDC_ON_BASE } from '../../../tools/samples/challenge.ts';
import { crawled, publishCrawl } from '../../support/crawling/published-crawl.ts';
import { BASE_URL, DOORS, startService, type TestService } from '../../support/running/running-service.ts';

const SPOT_CHECK = '/v1/products/endpoint-spot-check';

describe.each(DOORS)('GET /v1/receipts/{id} through the %s', (door) => {
  let service: TestService;
  const ask: TestService['ask'] = (path, sent) => service.ask(path, sent);
  const check = async (query: string, sent = {}): Promise<string> =>
    (await ask(`${SPOT_CHECK}?${query}`, sent)).json.receipt_id;
  const receipt = async (id: string) => (await ask(`/v1/receipts/${id}`)).json;

  beforeAll(async () => {
    service = await startService({ door });
    await publishCrawl(service.store.runs, 'run-1', [
      crawled('https://a.example/dear', { id: '00000000a1' }),
      crawled('https://b.example/gone', { id: '00000000b2', ...UNRESOLVED }),
      crawled('https://c.example/fine', { id: '00000000c3', verdict: 'pay', reason: 'matches listing' }),
    ]);
  });
  afterAll(() => service.close());

  describe('200, a live check', () => {
    it('has every member and no other', async () => {
      const query = `url=http://seller.example/honest&ref=My-Ref&task=Weather%20Now&claimed_price=0.01&pay_to=${PAYEE}&network=base`;
      const id = await check(query);
      expect(id).toMatch(/^sc-[0-9a-f]{16}$/);
      expect(await receipt(id)).toEqual({
        id,
        url: 'http://seller.example/honest',
        method: 'GET',
        checked_at: '2026-11-15T12:00:00.000Z',
        check_type: 'dry-run',
        mode: 'live',
        ref: 'my-ref',
        task: 'weather-now',
        listing: null,
        live_demand: { http_status: 402, x402_challenge: true, error: null, free_trial: null },
        live_402: {
          x402_version: 2,
          source: 'header',
          accepts: [
            {
              scheme: 'exact',
              network: 'eip155:8453',
              asset: USDC_ON_BASE,
              amount_atomic: '10000',
              amount_usd: 0.01,
              pay_to: PAYEE,
              max_timeout_seconds: 60,
            },
          ],
        },
        expected: { claimed_price_usd: 0.01, pay_to: PAYEE, network: 'eip155:8453', source: 'request' },
        approved_payment: {
          network: 'eip155:8453',
          asset: USDC_ON_BASE,
          amount: { atomic: '10000', usd: 0.01 },
          pay_to: PAYEE,
          deadline: '2026-11-15T12:01:00.000Z',
          deadline_source: 'maxTimeoutSeconds',
          max_timeout_seconds: 60,
          scheme: 'exact',
          asset_is_usdc: true,
          amount_atomic: '10000',
          amount_usd: 0.01,
        },
        verdict: 'pay',
        reason: 'price_ok',
        reason_text: expect.stringMatching(/^The live 402 .*\$0\.01/),
        input: null,
        needs_input: null,
        other_method: null,
        payment_terms_sha256: '680f87ccbad4b20d7afe26edf88997fd45b62596c94881a8a0b07cadc366b33b',
        probe: { probed_at: '2026-11-15T12:00:00.000Z', cached: false, cache_ttl_s: 300 },
        evidence: {
          payment_required_sha256: 'cd5f792853d1183f495bb9284b5dd64a855d826455dcc1cf2649dfaa60f7700f',
          body_sha256: null,
        },
        rules_version: '6',
        permalink: `${BASE_URL}/v1/receipts/${id}`,
      });
    });

    it('of a dry run approves nothing, although the verdict is pay', async () => {
      expect(await receipt(await check('url=http://seller.example/honest&mode=dry-run'))).toMatchObject({
        mode: 'dry-run',
        verdict: 'pay',
        approved_payment: null,
        payment_terms_sha256: null,
      });
    });

    it.each([
      ['down', 'server_error', { http_status: 503, x402_challenge: false, error: null, free_trial: null }],
      ['slow', 'timeout', { http_status: null, x402_challenge: false, error: 'timed_out', free_trial: null }],
      [
        'reset',
        'unreachable',
        { http_status: null, x402_challenge: false, error: 'unreachable', free_trial: null },
      ],
      [
        'no-paywall',
        'no_paywall',
        { http_status: 200, x402_challenge: false, error: null, free_trial: null },
      ],
      ['broken', 'bad_challenge', { http_status: 402, x402_challenge: true, error: null, free_trial: null }],
    ])('of the seller /%s has no terms: %s', async (path, reason, live_demand) => {
      const found = await receipt(await check(`url=http://seller.example/${path}`));
      expect(found).toMatchObject({ reason, live_demand, live_402: null, approved_payment: null });
    });

    it('shows how many free calls a trial has left', async () => {
      const found = await receipt(await check('url=http://seller.example/trial'));
      expect(found).toMatchObject({
        reason: 'free_trial_active',
        live_demand: { free_trial: { remaining: 3 } },
      });
    });

    it('names the listing that it was compared with', async () => {
      expect((await receipt(await check('url=https://a.example/dear'))).listing).toEqual({
        claimed_price_usd: 0.01,
        pay_to: PAYEE,
        network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
        source_list: 'first-list',
      });
    });

    it('never holds a client name, an address or a payer', async () => {
      const id = await check('url=http://seller.example/honest&client=Nosy-Client', { from: '203.0.113.77' });
      const { text } = await ask(`/v1/receipts/${id}`);
      expect(text).not.toMatch(/nosy-client|203\.0\.113\.77|"(?:client|address|payer|ip)"/i);
    });

    it.each([
      ['a key by its name', 'http://seller.example/honest?api_key=hunter2&q=1', '?api_key=REDACTED&q=1'],
      ['a token by its shape', `http://seller.example/honest?q=${'0a'.repeat(16)}`, '?q=REDACTED'],
      ['a key in the fragment', 'http://seller.example/honest?q=1#hunter2', '?q=1'],
    ])('hides %s', async (_, url, query) => {
      const id = await check(`url=${encodeURIComponent(url)}`);
      const { text, json } = await ask(`/v1/receipts/${id}`);
      expect(json.url).toBe(`http://seller.example/honest${query}`);
      expect(text).not.toMatch(/hunter2|0a0a0a0a/);
    });
  });

  describe('200, a crawl receipt', () => {
    it('has every member that is known', async () => {
      expect(await receipt('00000000a1')).toEqual({
        id: '00000000a1',
        url: 'https://a.example/dear',
        claimed_price_usd: 0.01,
        quoted_price_usd: 0.05,
        pay_to: '0x857b06519E91e3A54538791bDbb0E22373e36b66',
        verdict: 'skip',
        reason: 'price mismatch: listed $0.01, 402 asks $0.05',
        timestamp: '2026-11-15T12:00:00.000Z',
        source_list: 'first-list',
        check_type: 'self-checked',
        method: 'GET',
        http_status: 402,
        network: 'eip155:8453',
        listed_network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
        listed_pay_to: PAYEE,
        permalink: `${BASE_URL}/v1/receipts/00000000a1`,
        service: 'Assay',
        on_page: `${BASE_URL}/v1/skips#00000000a1`,
        spot_check: expect.stringContaining(`GET ${BASE_URL}${SPOT_CHECK}?url=`),
      });
    });

    it('leaves out what nobody knows of a host that does not resolve', async () => {
      const names = Object.keys(await receipt('00000000b2')).sort();
      expect(names).toEqual([
        ...['check_type', 'id', 'method', 'on_page', 'permalink', 'reason', 'service', 'source_list'],
        ...['spot_check', 'timestamp', 'url', 'verdict'],
      ]);
    });

    it('points to no row of the skip page when it is no skip', async () => {
      expect((await receipt('00000000c3')).on_page).toBe(`${BASE_URL}/v1/skips`);
    });
  });

  it('a skip of an older run is on no page: on_page is its own address (G104)', async () => {
    const later = { crawledAt: new Date('2026-11-15T12:00:01.000Z') };
    expect((await receipt('00000000b2')).on_page).toBe(`${BASE_URL}/v1/skips#00000000b2`);
    await publishCrawl(
      service.store.runs,
      'later-run',
      [crawled('https://z.example/x', { id: '00000000e5' })],
      later,
    );
    service.clock.now = new Date(service.clock.now.getTime() + 5_000);
    expect((await receipt('00000000b2')).on_page).toBe(`${BASE_URL}/v1/receipts/00000000b2`);
    expect((await receipt('00000000e5')).on_page).toBe(`${BASE_URL}/v1/skips#00000000e5`);
  });

  describe('404', () => {
    it.each([
      ['a live id that was never given out', 'sc-0000000000000000'],
      ['a crawl id that was never given out', '0000000000'],
      ['a live id in upper case', 'SC-00000000000000A1'],
      ['a crawl id in upper case', '00000000A1'],
      ['15 digits', 'sc-000000000000000'],
      ['17 digits', 'sc-00000000000000000'],
      ['the digits of a live id without its mark', '0000000000000000'],
      ['a crawl id with the mark of a live one', 'sc-00000000a1'],
      ['a way up', 'sc-..%2f..%2fetc'],
      ['a NUL', '00000000a1%00'],
      ['digits of another script', '%D9%A0'.repeat(10)],
      ['broken percent-encoding', '%E0%A4%A'],
      ['a name of the prototype', '__proto__'],
      ['a statement', "0'%20or%20'1'='1"],
      ['8 kB', 'a'.repeat(8_192)],
      ['a path below a receipt', '00000000a1/more'],
    ])('%s', async (_, id) => {
      const { status, json, header } = await ask(`/v1/receipts/${id}`);
      expect([status, json.status, json.code]).toEqual([404, 404, 'not_found']);
      expect(header('cache-control')).toBe('no-store');
    });
  });
});

const UNRESOLVED = {
  claimedPrice: null,
  quotedPrice: null,
  payTo: null,
  code: 'name_not_found',
  reason: 'dns lookup failed (host does not resolve)',
  httpStatus: null,
  network: null,
  listedNetwork: null,
  listedPayTo: null,
} as const;
