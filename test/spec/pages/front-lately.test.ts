import { describe, expect, it } from 'vitest';
import type { CrawlRun } from '../../../src/core/receipt/crawl-run.ts';
import type { LiveReceipt } from '../../../src/core/receipt/live-receipt.ts';
import { optOutsOf } from '../../../src/core/url/opt-outs.ts';
import { readLately } from '../../../src/flows/read/read-lately.ts';
import { afterNoon, aReceipt, NOON, receiptId } from '../../../tools/samples/store-receipts.ts';
import { checkOf, useService } from '../../support/asking.ts';
import { crawled, publishCrawl } from '../../support/crawling/published-crawl.ts';
import { expectUnbroken, wordsOf } from '../../support/pages.ts';
import { startService } from '../../support/running/running-service.ts';

const LISTED = 'http://listed.example/honest';

describe('what happened lately, on the front page', () => {
  it('says that there was nothing yet', async () => {
    const service = await startService();
    expect(wordsOf(await service.ask('/'))).toContain('None yet. Use the form above.');
    await service.close();
  });

  describe('after some checks', () => {
    const service = useService({});

    it('names listed hosts only, and nobody whom a claim of the caller made look bad', async () => {
      await publishCrawl(service.store.runs, 'run-1', [
        crawled(LISTED, { id: '00000000a1', verdict: 'pay', code: 'price_ok', listedPayTo: null }),
        crawled('http://slandered.example/honest', { id: '00000000a2', verdict: 'pay', code: 'price_ok' }),
      ]);
      service.at('2026-11-15T12:00:10.000Z');
      const check = (url: string, from: string, claim = {}) => service.ask(checkOf(url, claim), { from });
      await check(LISTED, '100.64.1.1');
      await check('http://slandered.example/honest', '100.64.1.2', { claimed_price: '0.000001' });
      await check('http://secret.example/honest', '100.64.1.3');
      service.at('2026-11-15T12:00:20.000Z');
      const page = await service.ask('/');
      const words = wordsOf(page);
      expect(words).toContain('listed.example');
      expect(words).toContain('an unlisted endpoint');
      expect(words).not.toContain('slandered.example');
      expect(page.text).not.toContain('secret.example');
      expectUnbroken(page);
    });

    it('has one click for a listed endpoint, which sends a form and nothing else', async () => {
      const { text } = await service.ask('/');
      const forms = [...text.matchAll(/<form method="post" action="\/check">.*?<\/form>/gs)];
      expect(forms.length).toBeGreaterThan(0);
      for (const [form] of forms) expect(form).toContain('name="mode" value="dry-run"');
    });
  });
});

describe('reading it', () => {
  const service = useService({});
  const read = (optOuts: readonly string[] = [], run: CrawlRun | null = null) =>
    readLately(run, {
      receipts: service.store.receipts,
      runs: service.store.runs,
      corrections: service.store.corrections,
      policy: { optOuts: optOutsOf(optOuts) },
      clock: { now: () => NOON },
    });
  const listing = { price: null, payTo: null, network: null, sourceList: 'a-list' };
  const neutral = {
    expected: { price: null, payTo: null, network: null, source: null },
    input: null,
  } as const;

  it('leaves out who opted out, what was corrected, and the older checks of one URL', async () => {
    const urls = ['https://a.example/', 'https://a.example/', 'https://b.example/', 'https://c.example/'];
    for (const [n, url] of urls.entries()) {
      const receipt = aReceipt({ id: receiptId(n), url, listing, checkedAt: afterNoon(n), ...neutral });
      await service.store.receipts.add(receipt, `key-${n}`);
    }
    await service.store.corrections.add({
      receiptId: receiptId(3),
      at: afterNoon(9),
      was: 'pay',
      is: 'skip',
      because: 'a fault of ours',
    });
    const { checks } = await read(['b.example']);
    expect(checks.map(({ receipt }) => receipt.id)).toEqual([receiptId(1)]);
    expect((await read()).checks.map(({ host }) => host)).toEqual(['b.example', 'a.example']);
  });

  it('names nobody after a check that asked oddly', async () => {
    const oddly: [string, Partial<LiveReceipt>][] = [
      ['https://other-method.example/', { method: 'GET', listedMethod: 'POST' }],
      ['https://other-spelling.example//', { live402: null, seen: null, salt: null }],
    ];
    for (const [n, [url, members]] of oddly.entries()) {
      const receipt = aReceipt({
        ...{ id: receiptId(5 + n), url, listing, checkedAt: afterNoon(5 + n) },
        ...neutral,
        ...members,
      });
      await service.store.receipts.add(receipt, `odd-${n}`);
    }
    const hosts = (await read()).checks.map(({ host }) => host);
    expect(hosts).not.toContain('other-method.example');
    expect(hosts).not.toContain('other-spelling.example');
  });

  it('leaves out the largest mismatch once it is corrected', async () => {
    const { runs, corrections } = service.store;
    const wrong = crawled('https://wronged.example/', { id: '00000000b1', code: 'price_mismatch' });
    await publishCrawl(runs, 'run-b', [wrong]);
    const ofRun = async () => {
      const latest = await runs.latest();
      return latest === null ? null : (await read([], latest)).featured;
    };
    expect((await ofRun())?.url).toBe('https://wronged.example/');
    await corrections.add({
      receiptId: wrong.receipt.id,
      at: afterNoon(9),
      was: 'skip',
      is: 'pay',
      because: 'a fault of ours',
    });
    expect(await ofRun()).toBeNull();
  });

  it('is bounded', async () => {
    for (let n = 10; n < 60; n += 1) {
      const url = `https://host-${n}.example/`;
      await service.store.receipts.add(
        aReceipt({ id: receiptId(n), url, listing, checkedAt: afterNoon(n), ...neutral }),
        `key-${n}`,
      );
    }
    expect((await read()).checks).toHaveLength(6);
  });
});
