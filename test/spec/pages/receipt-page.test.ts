import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PAYEE, THIEF } from '../../../tools/samples/challenge.ts';
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

const FOOTER = ['Use it', 'Check us', 'Sellers'];

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
      'As expected: price, network, token, payee.',
      'Sign exactly the terms below, and nothing else, before 2026-11-15 12:01:00 UTC.',
      'Asks $0.01 in USDC on Base (eip155:8453)',
      'Sign exactly this',
      'Until 2026-11-15 12:01:00 UTC',
      '$0.01 = 10000 atomic units',
      '680f87ccbad4b20d7afe26edf88997fd45b62596c94881a8a0b07cadc366b33b',
      'Term The caller expected Live Compared',
      '21 of 21 applied rules passed',
      '21 rules passed',
      'What this does not prove',
    ]) {
      expect(words).toContain(text);
    }
    expect(shown.text).toContain(`href="https://basescan.org/address/${PAYEE}"`);
    expect(shown.text).toContain(`<a href="/payees/${PAYEE}">`);
    expect(shown.text.match(new RegExp(`data-copy="${PAYEE}"`, 'g'))).toHaveLength(1);
    expect(shown.text).toContain(
      `url=http%3A%2F%2Fseller.example%2Fhonest&amp;claimed_price=0.01&amp;pay_to=${PAYEE}&amp;network=eip155%3A8453`,
    );
    expectUnbroken(shown);
  });

  it('a dry run that says pay has nothing to sign', async () => {
    const words = wordsOf(await page(await check('url=http://seller.example/honest&mode=dry-run')));
    expect(words).toContain('A dry run is never an approval. Run a live check before you pay.');
    expect(words).toContain('pay, nothing compared');
    expect(words).toContain(
      'Nothing was listed or claimed to compare with the price and payee of the live 402.',
    );
    expect(words).not.toContain('Sign exactly this');
  });

  it('skip: what differs is marked, and the rules before it passed', async () => {
    const shown = await page(await check(`url=http://seller.example/thief&pay_to=${PAYEE}`));
    expect(shown.text).toContain('<section class="card skip"');
    expect(shown.text).toMatch(/<tr class="different"><th scope="row">Payee<\/th>/);
    expect(shown.text.match(/<tr class="different">/g)).toHaveLength(1);
    expect(shown.text).toContain(THIEF);
    const words = wordsOf(shown);
    expect(words).toContain('The payee of the live 402 is not the expected payee.');
    expect(words).toContain('Payee: expected 0x2096…287C, live 0x857b…6b66 Do not pay.');
  });

  it('skip: the failed rule is open and says why it exists and what to fix; the others are folded', async () => {
    const shown = await page(await check(`url=http://seller.example/thief&pay_to=${PAYEE}`));
    const failed = /<section class="rule fail" id="rule-expected_payee">[\s\S]*?<\/section>/.exec(
      shown.text,
    )?.[0];
    expect(wordsOf({ text: failed ?? '' })).toMatch(
      /Failed: The payee is the expected one\. Code pay_to_mismatch Why the rule exists .+ What to fix/,
    );
    const words = wordsOf(shown);
    expect(words).toContain('13 rules passed');
    expect(words).toContain('1 rule not applied: nothing to compare with');
    expect(words).toContain('6 rules not reached, because another rule failed first');
    expect(shown.text.match(/ id="rule-/g)).toHaveLength(21);
    expect(words).toContain('What to fix For the seller: If the live payee is yours, update the listing.');
  });

  it('look-alike payees are shown in full', async () => {
    const alike = `${PAYEE.slice(0, 8)}${'0'.repeat(28)}${PAYEE.slice(-6)}`;
    const shown = await page(await check(`url=http://seller.example/honest&pay_to=${alike}`));
    const list = /<ul class="differs">[\s\S]*?<\/ul>/.exec(shown.text)?.[0] ?? '';
    expect(wordsOf({ text: list })).toContain(`Payee: expected ${alike}, live ${PAYEE} explorer`);
  });

  it('has its parts in the order in which they are needed', async () => {
    const shown = await page(
      await check(`url=http://seller.example/honest&claimed_price=0.01&pay_to=${PAYEE}&network=base`),
    );
    expect([...shown.text.matchAll(/<h[12][^>]*>([^<]*)/g)].map(([, title]) => title?.trim())).toEqual([
      'Check of',
      'Sign exactly this',
      'Expected and live terms',
      'Check again',
      'Verify this receipt',
      'Rules',
      'History of this URL',
      'Is this your endpoint?',
      'Share',
      ...FOOTER,
    ]);
    expect(shown.text.indexOf('aria-label="Verdict"')).toBeLessThan(shown.text.indexOf('id="sign"'));
  });

  it('the owner finds what to do, a badge and lint under every verdict, safe to paste', async () => {
    for (const path of ['honest', 'thief', 'down', "it's$(id)"]) {
      const shown = await page(await check(`url=${encodeURIComponent(`http://seller.example/${path}`)}`));
      const box = /<section class="panel owner"[\s\S]*?<\/section>/.exec(shown.text)?.[0] ?? '';
      const words = wordsOf({ text: box });
      expect(words).toContain('Is this your endpoint? For sellers');
      expect(words).toContain(`assay lint 'http://seller.example/${path.replace("'", '%27')}'`);
      expect(box).toContain('badge.svg?url=');
    }
  });

  it('verification: what is proof and what is our word, in three lines, the commands folded', async () => {
    const shown = await page(await check('url=http://seller.example/honest'));
    const box = /<section class="panel verification"[\s\S]*?<\/section>/.exec(shown.text)?.[0] ?? '';
    const open = box.replace(/<details>[\s\S]*?<\/details>/g, '');
    expect(open.match(/<li>/g)).toHaveLength(3);
    expect(wordsOf({ text: open })).toContain('Our word only: that the endpoint sent this response.');
    expect(open).not.toContain('curl');
    expect(box).toContain('--verify --server');
  });

  it('names the same receipt as JSON', async () => {
    const { text } = await page('00000000a1');
    expect(text).toContain(
      '<link rel="alternate" type="application/json" href="/v1/receipts/00000000a1.json">',
    );
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
    expectUnbroken(await page(encodeURIComponent('"><script>alert(1)</script>')));
  });
});
