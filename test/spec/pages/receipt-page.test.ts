import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LiveReceipt } from '../../../src/core/receipt/live-receipt.ts';
import { PAYEE, THIEF } from '../../../tools/samples/challenge.ts';
import { aReceipt } from '../../../tools/samples/store-receipts.ts';
import { crawled, publishCrawl } from '../../support/crawling/published-crawl.ts';
import { BROWSER, expectUnbroken, wordsOf } from '../../support/pages.ts';
import {
  BASE_URL,
  DOORS,
  NOON,
  startService,
  type TestService,
} from '../../support/running/running-service.ts';

const SPOT_CHECK = '/v1/products/endpoint-spot-check';
const WEEK_MS = 7 * 86_400_000;

/** Texts that would break a page which took them at their word. */
const HOSTILE: readonly [what: string, text: string][] = [
  ['markup', '"><script>alert(1)</script><img src=x onerror=alert(1)>'],
  ['an attribute', "' onmouseover='alert(1)"],
  ['a text that is turned around', 'abc\u202egnp\u2066.exe\u2069'],
  ['2,000 characters', 'x'.repeat(2_000)],
];

describe.each(DOORS)('GET /v1/receipts/{id}, the page for people, through the %s', (door) => {
  let service: TestService;
  const page = (id: string) => service.ask(`/v1/receipts/${id}`, { headers: BROWSER });
  const check = async (query: string): Promise<string> =>
    (await service.ask(`${SPOT_CHECK}?${query}`)).json.receipt_id;

  beforeAll(async () => {
    service = await startService({ door });
    const before = new Date(NOON.getTime() - WEEK_MS);
    const gone = { verdict: 'recheck', code: 'timeout', reason: 'timeout after 5 s', payTo: null } as const;
    const old = crawled('https://a.example/dear', {
      ...gone,
      id: '00000000a0',
      checkedAt: before,
      quotedPrice: null,
    });
    await publishCrawl(service.store.runs, 'run-0', [old], { crawledAt: before });
    await publishCrawl(service.store.runs, 'run-1', [
      crawled('https://a.example/dear', { id: '00000000a1' }),
      ...HOSTILE.map(([, text], n) =>
        crawled(`https://h.example/${n}`, {
          id: `00000000b${n}`,
          url: `https://h.example/${text}`,
          reason: text,
          sourceList: text,
          payTo: text,
          listedPayTo: text,
        }),
      ),
    ]);
  });
  afterAll(() => service.close());

  describe('negotiation', () => {
    it.each<[string, Record<string, string>, string]>([
      ['a browser', BROWSER, 'text/html; charset=utf-8'],
      ['whoever says nothing', {}, 'application/json; charset=utf-8'],
      ['whoever takes anything', { accept: '*/*' }, 'application/json; charset=utf-8'],
      ['an agent', { accept: 'application/json' }, 'application/json; charset=utf-8'],
      [
        'whoever likes both the same',
        { accept: 'text/html, application/json' },
        'application/json; charset=utf-8',
      ],
    ])('%s', async (_, headers, type) => {
      const answer = await service.ask('/v1/receipts/00000000a1', { headers });
      expect([answer.status, answer.header('content-type'), answer.header('vary')]).toEqual([
        200,
        type,
        'Accept',
      ]);
    });

    it('.json is JSON for a browser, too, and the same receipt', async () => {
      const named = await service.ask('/v1/receipts/00000000a1.json', { headers: BROWSER });
      expect(named.json).toEqual((await service.ask('/v1/receipts/00000000a1')).json);
      expect(named.header('cache-control')).toBe('public, max-age=31536000, immutable');
      expect((await service.ask('/v1/receipts/00000000ff.json')).json.code).toBe('not_found');
    });

    it('the two have ETags of their own, and only JSON is for ever (G82)', async () => {
      const [shown, json] = [await page('00000000a1'), await service.ask('/v1/receipts/00000000a1')];
      expect(shown.header('etag')).not.toBe(json.header('etag'));
      expect(shown.header('cache-control')).toBe('public, max-age=30');
      const again = { headers: { ...BROWSER, 'if-none-match': shown.header('etag') ?? '' } };
      expect((await service.ask('/v1/receipts/00000000a1', again)).status).toBe(304);
      const crossed = { headers: { 'if-none-match': shown.header('etag') ?? '' } };
      expect((await service.ask('/v1/receipts/00000000a1', crossed)).status).toBe(200);
    });
  });

  it('pay: the card, and exactly what to sign, until when', async () => {
    const id = await check(
      `url=http://seller.example/honest&claimed_price=0.01&pay_to=${PAYEE}&network=base`,
    );
    const shown = await page(id);
    const words = wordsOf(shown);
    for (const text of [
      'pay',
      'The live 402 asks $0.01 in USDC on eip155:8453, as expected.',
      'Sign exactly the terms below, and nothing else.',
      'Sign exactly this',
      'Until 2026-11-15 12:01 UTC',
      '$0.01 = 10000 atomic units',
      '680f87ccbad4b20d7afe26edf88997fd45b62596c94881a8a0b07cadc366b33b',
      'Term The caller expected Live Compared',
      '21 of 21 applied rules passed',
      'What this does not prove',
    ]) {
      expect(words).toContain(text);
    }
    expect(shown.text).toContain(`href="https://basescan.org/address/${PAYEE}"`);
    expect(shown.text).toContain(`data-copy="${PAYEE}"`);
    expect(shown.text).toContain(
      `url=http%3A%2F%2Fseller.example%2Fhonest&amp;claimed_price=0.01&amp;pay_to=${PAYEE}&amp;network=eip155%3A8453`,
    );
    expectUnbroken(shown);
  });

  it('pay, too late: says so and asks for a new check', async () => {
    const id = await check('url=http://late.example/honest');
    service.clock.now = new Date(NOON.getTime() + 50_500);
    expect((await page(id)).header('cache-control')).toBe('public, max-age=9');
    service.clock.now = new Date(NOON.getTime() + 3_600_000);
    const words = wordsOf(await page(id));
    service.clock.now = NOON;
    expect(words).toContain('These terms have expired. Check again.');
    expect(words).toContain('Expired. These terms were valid until 2026-11-15 12:01 UTC');
    expect(words).toContain('1 hour ago');
  });

  it('a dry run that says pay has nothing to sign', async () => {
    const words = wordsOf(await page(await check('url=http://seller.example/honest&mode=dry-run')));
    expect(words).toContain('A dry run is never an approval. Run a live check before you pay.');
    expect(words).toContain('pay, nothing compared');
    expect(words).toContain(
      'Nothing was compared: price, payee and network are only what the live 402 says.',
    );
    expect(words).not.toContain('Sign exactly this');
  });

  it('skip: what differs is marked, and the rules before it passed', async () => {
    const shown = await page(await check(`url=http://seller.example/thief&pay_to=${PAYEE}`));
    expect(shown.text).toContain('<section class="card skip"');
    expect(shown.text).toMatch(/<tr class="different"><th scope="row">Payee<\/th>/);
    expect(shown.text.match(/<tr class="different">/g)).toHaveLength(1);
    expect(shown.text).toContain(THIEF);
    expect(shown.text).toMatch(/<tr class="fail" id="rule-expected_payee">/);
    expect(wordsOf(shown)).toContain('The payee of the live 402 is not the expected payee.');
  });

  it.each<[string, string, string]>([
    ['down', 'recheck', 'The endpoint answered HTTP 503; check again later.'],
    ['trial', 'recheck', 'The endpoint announces a free trial (3 calls left); check again when it is over.'],
    ['no-paywall', 'skip', 'The endpoint answered HTTP 200 without asking for payment.'],
    ['broken', 'skip', 'The live 402 carries payment terms that cannot be read.'],
    ['testnet', 'skip', 'which is not a supported mainnet.'],
  ])('/%s: %s', async (path, verdict, words) => {
    const shown = await page(await check(`url=http://seller.example/${path}`));
    expect(shown.text).toContain(`<section class="card ${verdict}"`);
    expect(wordsOf(shown)).toContain(words);
    expectUnbroken(shown);
  });

  it('the history of the URL, with what changed', async () => {
    const shown = await page('00000000a1');
    const strip = /<ol class="history">[\s\S]*?<\/ol>/.exec(shown.text)?.[0] ?? '';
    expect(wordsOf({ text: strip })).toContain('skip 2026-11-15 12:00 UTC weekly crawl, $0.05');
    expect(strip).toContain('href="/v1/receipts/00000000a0"');
    expect(strip).toMatch(/<li aria-current="true">/);
    const id = await check('url=https://a.example/dear&mode=dry-run');
    expect(wordsOf(await page(id))).toContain('weekly crawl, $0.05');
  });

  it('hides nothing behind a URL of which a part is hidden', async () => {
    const words = wordsOf(await page(await check('url=http://seller.example/honest?api_key=hunter2')));
    expect(words).toContain('GET http://seller.example/honest?api_key=REDACTED');
    expect(words).toContain('its other receipts cannot be matched');
    expect(words).toContain('Enter the whole URL');
    expect(words).not.toContain('hunter2');
  });

  it('has a preview for whoever is sent the link', async () => {
    const { text } = await page('00000000a1');
    expect(text).toContain('<title>SKIP: a.example · Assay</title>');
    expect(text).toContain('<meta property="og:title" content="SKIP: a.example">');
    expect(text).toContain('content="Price mismatch: listed $0.01, 402 asks $0.05.">');
    expect(text).toContain(`<meta property="og:url" content="${BASE_URL}/v1/receipts/00000000a1">`);
  });

  it('404: helps on, and has the form', async () => {
    const missing = await page('sc-0000000000000000');
    expect([missing.status, missing.header('cache-control')]).toEqual([404, 'no-store']);
    expect(wordsOf(missing)).toContain('No receipt has this id');
    expect(missing.text).toContain('action="/check"');
    expectUnbroken(await page(encodeURIComponent(HOSTILE[0]?.[1] ?? '')));
  });

  it.each(HOSTILE.map(([what], n) => [what, `00000000b${n}`]))(
    'is not broken by %s in a crawl receipt',
    async (_, id) => {
      const shown = await page(id);
      expect(shown.status).toBe(200);
      expectUnbroken(shown);
      expect(shown.text.length).toBeLessThan(60_000);
    },
  );

  it.each(HOSTILE)('is not broken by %s in a live receipt', async (what, text) => {
    const id = `sc-${Buffer.from(what).toString('hex').slice(0, 16).padEnd(16, '0')}`;
    await service.store.receipts.add(hostileReceipt(id, text), `key-${id}`);
    const shown = await page(id);
    expect(shown.status).toBe(200);
    expectUnbroken(shown);
    expect(shown.text.length).toBeLessThan(60_000);
  });
});

function hostileReceipt(id: string, text: string): LiveReceipt {
  const honest = aReceipt();
  const accepts = (honest.live402?.accepts ?? []).map((offer) => ({
    ...offer,
    payTo: text,
    asset: text,
    scheme: text,
  }));
  return {
    ...honest,
    id,
    url: `https://a.example/${text}`,
    ref: text,
    task: text,
    reasonText: text,
    live402: { x402Version: 2, source: 'header', accepts },
    listing: { price: null, payTo: text, network: null, sourceList: text },
    expected: { price: null, payTo: text, network: null, source: 'listing' },
  };
}
