import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CrawlReceipt } from '../../../src/core/receipt/crawl-receipt.ts';
import { PAYEE, THIEF } from '../../../tools/samples/challenge.ts';
import { crawlRow } from '../../../tools/samples/crawl-rows.ts';
import { afterNoon } from '../../../tools/samples/store-receipts.ts';
import { publishCrawl } from '../../support/crawling/published-crawl.ts';
import { expectUnbroken, wordsOf } from '../../support/pages.ts';
import { startService, type TestService } from '../../support/running/running-service.ts';

const AT = 'https://a.example/';
/** What a hostile seller or list would like to see on our pages. */
const HOSTILE: readonly Partial<CrawlReceipt>[] = [
  { url: `${AT}"><script>alert(1)</script>` },
  { url: `${AT}' onmouseover='alert(1)` },
  { url: `${AT}\u202egnp.exe\u2066` },
  { url: `${AT}${'x'.repeat(2_020)}` },
  { url: `${AT}y`, reason: '</td></table><img src=x onerror=alert(1)><!--' },
  { url: `${AT}z`, payTo: '"><script>alert(1)</script>', listedPayTo: PAYEE },
  { url: `${AT}javascript:alert(1)`, payTo: PAYEE, listedPayTo: '<style>*{display:none}</style>' },
  { url: 'https://"><script>alert(1)</script>.example/a', payTo: PAYEE },
  { url: `https://${'d'.repeat(250)}/b`, payTo: PAYEE },
  { url: `${AT}swapped"><b>`, payTo: THIEF, listedPayTo: PAYEE, reason: '\u202eesrever' },
];

describe('pages of hosts and payees, of what strangers wrote', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
    const rows = HOSTILE.map((changes, n) => crawlRow(n + 1, { payTo: PAYEE, ...changes }));
    await publishCrawl(service.store.runs, 'run-1', rows);
    const many = Array.from({ length: 3_000 }, (_, n) =>
      crawlRow(n + 1_000, {
        url: `https://many.example/${String(n).padStart(5, '0')}`,
        payTo: THIEF,
        listedPayTo: PAYEE,
      }),
    );
    const again = rows.map(({ urlKey, receipt }, n) => ({
      urlKey,
      receipt: { ...receipt, id: crawlRow(n + 500).receipt.id },
    }));
    await publishCrawl(service.store.runs, 'run-2', [...again, ...many], { crawledAt: afterNoon(1) });
  });
  afterAll(() => service.close());

  it.each(['/hosts/a.example', `/payees/${PAYEE}`, `/payees/${THIEF}`, '/hosts/many.example'])(
    '%s stays whole',
    async (path) => {
      const page = await service.ask(path);
      expect(page.status).toBe(200);
      expectUnbroken(page);
      expect(page.text).not.toContain('x'.repeat(400));
      expect((await service.ask(`/v1${path}`)).status).toBe(200);
    },
  );

  it('thousands of endpoints are counted, and the first 200 are listed', async () => {
    const { json } = await service.ask('/v1/hosts/many.example');
    expect([json.endpoints.length, json.endpoints_not_listed, json.latest.endpoints]).toEqual([
      200, 2_800, 3_000,
    ]);
    const page = await service.ask('/hosts/many.example');
    expect(page.text.length).toBeLessThan(400_000);
    expect(wordsOf(page)).toContain('2,800 more endpoints are not in this table.');
    const payee = await service.ask(`/v1/payees/${PAYEE}`);
    expect([payee.json.replaced.length, payee.json.replaced_total]).toEqual([50, 3_001]);
    expect(wordsOf(await service.ask(`/payees/${PAYEE}`))).toContain('2,951 more are not in this table.');
  });

  it('a host that is no host name is not linked', async () => {
    const { text } = await service.ask(`/payees/${PAYEE}`);
    expect([...text.matchAll(/href="\/hosts\/([^"]*)"/g)].map(([, host]) => host)).toEqual(['a.example']);
  });
});
