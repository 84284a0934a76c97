import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTaskIndex } from '../../../src/core/catalog/task-index.ts';
import { microUsd } from '../../../src/core/money/micro-usd.ts';
import { publicWeb } from '../../../src/core/url/gate.ts';
import { optOutsOf } from '../../../src/core/url/opt-outs.ts';
import { publicAddresses } from '../../../src/core/url/public-address.ts';
import { hostResponse } from '../../../src/wire/responses/hosts/host-json.ts';
import { payeeResponse } from '../../../src/wire/responses/hosts/payee-json.ts';
import { aCall, aService } from '../../../tools/samples/catalog.ts';
import { PAYEE, THIEF } from '../../../tools/samples/challenge.ts';
import { crawlId } from '../../../tools/samples/crawl-rows.ts';
import { afterNoon, NOON } from '../../../tools/samples/store-receipts.ts';
import { BEFORE, DAY, NOW, SHOUTED, SOLANA } from '../../support/crawling/host-rows.ts';
import { publishCrawl } from '../../support/crawling/published-crawl.ts';
import { BROWSER, expectUnbroken, wordsOf } from '../../support/pages.ts';
import { DOORS, startService, type TestService } from '../../support/running/running-service.ts';

describe.each(DOORS)('hosts and payees through the %s', (door) => {
  let service: TestService;
  const ask: TestService['ask'] = (path, sent) => service.ask(path, sent);

  beforeAll(async () => {
    const optOuts = optOutsOf(['gone.example']);
    const policy = publicWeb({ addresses: publicAddresses([]), ownHosts: new Set(), optOuts });
    const index = buildTaskIndex([
      aService({ id: 'at-a', endpoint: 'https://a.example/one', pay_to: PAYEE }),
      aService({ id: 'at-c', endpoint: 'https://c.example/only-in-the-catalog' }),
    ]);
    service = await startService({ door, world: { policy, index } });
    const { runs, paidCalls } = service.store;
    await publishCrawl(runs, 'run-1', BEFORE);
    await publishCrawl(runs, 'run-2', NOW, { crawledAt: afterNoon(DAY), previousRun: NOON });
    const amount = microUsd(10_000n);
    const begun = { id: 'call', serviceId: 'at-a', calledAt: NOON, amount, payTo: PAYEE };
    await paidCalls.begin(begun, { perDay: microUsd(9_000_000n), total: microUsd(9_000_000n) });
    await paidCalls.finish('call', aCall({ calledAt: NOON, quality: 'pass' }), {
      bodySha256: null,
      body: null,
    });
  });
  afterAll(() => service.close());

  it('a host: its endpoints, payees, changes, verdicts over time and services', async () => {
    const { status, json, header } = await ask('/v1/hosts/a.example');
    expect([status, header('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(() => hostResponse.strict().parse(json)).not.toThrow();
    expect(json).toMatchObject({
      host: 'a.example',
      opted_out: false,
      crawled_at: afterNoon(DAY).toISOString(),
      latest: { endpoints: 3, pay: 1, skip: 2, recheck: 0, needs_input: 1, complete: true },
      endpoints_not_listed: 0,
      payees: [
        { address: PAYEE, endpoints: 1, payee: `https://assay.example.org/v1/payees/${PAYEE}` },
        { address: THIEF, endpoints: 1 },
      ],
      services: [{ id: 'at-a', graded_receipts: 1, passed_receipts: 1 }],
      skips: 'https://assay.example.org/v1/skips.json?host=a.example',
      page: 'https://assay.example.org/hosts/a.example',
    });
    expect(
      json.endpoints.map(({ url, verdict, code }: Record<string, string>) => [url, verdict, code]),
    ).toEqual([
      ['https://a.example/one', 'pay', 'price_ok'],
      ['https://a.example/three', 'skip', 'needs_input'],
      ['https://a.example:8443/two', 'skip', 'pay_to_mismatch'],
    ]);
    expect(json.endpoints[2]).toMatchObject({
      claimed_price_usd: 0.01,
      quoted_price_usd: 0.01,
      pay_to: THIEF,
      listed_pay_to: SHOUTED,
      receipt: `https://assay.example.org/v1/receipts/${crawlId(2)}`,
    });
    expect(json.changes).toEqual([
      {
        url: 'https://a.example/one',
        what: 'price',
        before: '0.01',
        after: '0.02',
        timestamp: afterNoon(DAY).toISOString(),
        receipt: `https://assay.example.org/v1/receipts/${crawlId(1)}`,
      },
      expect.objectContaining({ what: 'payee', before: PAYEE, after: THIEF }),
    ]);
    expect(json.history).toMatchObject([
      { crawled_at: afterNoon(DAY).toISOString(), endpoints: 3 },
      { crawled_at: NOON.toISOString(), endpoints: 2, pay: 2 },
    ]);
  });

  it('a payee in any letter case: endpoints, hosts, and endpoints listed with it that ask to pay another one', async () => {
    const { status, json } = await ask(`/v1/payees/${PAYEE.toLowerCase()}`);
    expect(status).toBe(200);
    expect(() => payeeResponse.strict().parse(json)).not.toThrow();
    expect(json).toMatchObject({
      address: PAYEE,
      latest: { endpoints: 3, pay: 3 },
      hosts: [
        { host: 'a.example', endpoints: 1, details: 'https://assay.example.org/v1/hosts/a.example' },
        { host: 'b.example', endpoints: 1 },
      ],
      replaced: [{ url: 'https://a.example:8443/two', pay_to: THIEF }],
      replaced_total: 1,
      services: [{ id: 'at-a' }],
      page: `https://assay.example.org/payees/${PAYEE}`,
    });
    expect(json.history.map(({ endpoints }: { endpoints: number }) => endpoints)).toEqual([3, 2]);
    // Without the endpoint of a host that opted out.
    expect(json.endpoints.map(({ url }: { url: string }) => url)).toEqual([
      'https://a.example/one',
      'https://b.example/four',
    ]);
  });

  it('a payee whom the lists do not name, and one on Solana', async () => {
    expect((await ask(`/v1/payees/${THIEF}`)).json).toMatchObject({
      endpoints: [{ url: 'https://a.example:8443/two', listed_pay_to: SHOUTED }],
      replaced: [],
    });
    expect((await ask(`/v1/payees/${SOLANA}`)).json).toMatchObject({ hosts: [{ host: 'b.example' }] });
    expect((await ask(`/v1/payees/${SOLANA.toLowerCase()}`)).status).toBe(404);
  });

  it.each([
    ['an address in brackets', '/v1/hosts/[2001:db8::1]', '[2001:db8::1]'],
    ['the same encoded', '/v1/hosts/%5B2001%3Adb8%3A%3A1%5D', '[2001:db8::1]'],
    ['the same without brackets', '/v1/hosts/2001:db8::1', '[2001:db8::1]'],
    ['a host of the catalog alone', '/v1/hosts/c.example', 'c.example'],
  ])('a host: %s', async (_, path, host) => {
    expect((await ask(path)).json).toMatchObject({ host });
  });

  it('a host that opted out: one sentence and no rows', async () => {
    expect((await ask('/v1/hosts/gone.example')).json).toMatchObject({
      opted_out: true,
      latest: null,
      endpoints: [],
      payees: [],
      changes: [],
      history: [],
      services: [],
    });
    const page = await ask('/hosts/gone.example');
    expect(wordsOf(page)).toContain('The operator of this host has opted out of checks.');
    expect(page.text).not.toContain('gone.example/six');
    expect((await ask(`/payees/${PAYEE}`)).text).not.toContain('gone.example');
  });

  it.each([
    [
      'an unknown host',
      '/v1/hosts/nowhere.example',
      'No published crawl and no service of the catalog has this host. Checks that somebody asked for are not listed here.',
    ],
    [
      'a host with a port',
      '/v1/hosts/a.example:8443',
      'A host is a lower-case ASCII name or an address, without port',
    ],
    ['a host in upper case', '/hosts/A.example', 'A host is a lower-case ASCII name'],
    ['markup', '/hosts/%3Cscript%3E', 'A host is a lower-case ASCII name'],
    ['words of SQL', "/v1/hosts/a'%20or%201=1--", 'A host is a lower-case ASCII name'],
    [
      'an unknown payee',
      `/payees/0x${'9'.repeat(40)}`,
      'No published crawl and no service of the catalog has this payee. Checks that somebody asked for are not listed here.',
    ],
    ['no address', '/v1/payees/0x1234', 'A payee is 0x and 40 hex digits, or a Solana address.'],
    ['a name', '/v1/payees/vitalik.eth', 'A payee is 0x and 40 hex digits, or a Solana address.'],
  ])('404: %s', async (_, path, detail) => {
    const { status, json } = await ask(path, { headers: { accept: 'application/json' } });
    expect([status, json.code]).toEqual([404, 'not_found']);
    expect(json.detail).toContain(detail);
    const page = await ask(path, { headers: BROWSER });
    expect([page.status, page.header('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  });

  it('a page by default, JSON for whoever asks for it, and an ETag for both', async () => {
    for (const [page, json] of [
      ['/hosts/a.example', '/v1/hosts/a.example'],
      [`/payees/${PAYEE}`, `/v1/payees/${PAYEE}`],
    ] as const) {
      for (const accept of ['*/*', BROWSER.accept, '']) {
        const { status, header } = await ask(page, { headers: { accept } });
        expect([status, header('content-type'), header('vary')]).toEqual([
          200,
          'text/html; charset=utf-8',
          'Accept',
        ]);
      }
      const asked = await ask(page, { headers: { accept: 'application/json' } });
      expect(asked.text).toBe((await ask(json)).text);
      expect((await ask(json, { headers: BROWSER })).header('content-type')).toContain('application/json');
      const { header } = await ask(page);
      expect(header('cache-control')).toBe('public, max-age=60');
      expect((await ask(page, { headers: { 'if-none-match': header('etag') ?? '' } })).status).toBe(304);
    }
  });

  it('the page of a host says it in words', async () => {
    const page = await ask('/hosts/a.example');
    const words = wordsOf(page);
    expect(words).toContain('3 endpoints in the crawl of 2026-11-16: 1 pay, 1 skip, 1 set aside.');
    expect(words).toContain('price $0.01 → $0.02');
    expect(words).toContain('1 of 1 passed');
    // Columns of the row have the payees, in full: a look-alike can share both ends.
    expect(words).toContain(`skip Payee differs $0.01 $0.01 ${THIEF} listed: ${SHOUTED}`);
    expect(words).not.toContain('pay_to mismatch');
    expect(page.text.indexOf('<h2>Endpoints')).toBeLessThan(page.text.indexOf('<h2>Verdicts over time'));
    expect(page.text).toContain('<a href="/v1/hosts/a.example">JSON</a>');
    expect(page.text).toContain('href="/v1/skips?host=a.example"');
    expect(page.text).toContain(`href="/payees/${THIEF}"`);
    expect(page.text).toContain('href="/sellers"');
    expect(page.text).toContain('<link rel="alternate" type="application/json" href="/v1/hosts/a.example">');
    expectUnbroken(page);
  });

  it('the page of a payee warns of endpoints that ask to pay somebody else', async () => {
    const page = await ask(`/payees/${PAYEE}`);
    const words = wordsOf(page);
    expect(words).toContain(
      'One endpoint is listed with this payee, but its live 402 asks to pay another address.',
    );
    expect(words).toContain('Payee of 3 endpoints in the crawl of 2026-11-16: 3 pay.');
    expect(page.text).toContain(`<a href="/v1/payees/${PAYEE}">JSON</a>`);
    expect(page.text).toContain('href="/hosts/b.example"');
    expect(page.text).toContain(`href="https://basescan.org/address/${PAYEE}"`);
    expectUnbroken(page);
    expect((await ask(`/payees/${THIEF}`)).text).not.toContain('panel warning');
    expect((await ask(`/payees/${SOLANA}`)).status).toBe(200);
  });
});
