import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCEPTS_MAX_ENTRIES } from '../../../src/core/limits.ts';
import type { LiveReceipt } from '../../../src/core/receipt/live-receipt.ts';
import { aReceipt, receiptId } from '../../../tools/samples/store-receipts.ts';
import { crawled, publishCrawl } from '../../support/crawling/published-crawl.ts';
import { BROWSER, expectUnbroken, wordsOf } from '../../support/pages.ts';
import { DOORS, startService, type TestService } from '../../support/running/running-service.ts';

/** Texts that would break a page which took them at their word. */
const HOSTILE: readonly [what: string, text: string][] = [
  ['markup', '"><script>alert(1)</script><img src=x onerror=alert(1)>'],
  ['an attribute', "' onmouseover='alert(1)"],
  ['a text that is turned around', 'abc\u202egnp\u2066.exe\u2069'],
  ['a word of 2,000 characters', 'x'.repeat(2_000)],
  ['a query of 2,000 characters', `?${'&key=value'.repeat(200)}`],
  ['a lone surrogate', 'abc\ud800'],
];

describe.each(DOORS)('the page of a receipt full of hostile text, through the %s', (door) => {
  let service: TestService;
  const page = (id: string) => service.ask(`/v1/receipts/${id}`, { headers: BROWSER });

  beforeAll(async () => {
    service = await startService({ door });
    await publishCrawl(
      service.store.runs,
      'run-1',
      HOSTILE.map(([, text], n) =>
        crawled(`https://h.example/${n}`, {
          id: `00000000b${n}`,
          url: `https://h.example/${text}`,
          reason: text,
          sourceList: text,
          payTo: text,
          listedPayTo: `${text}!`,
        }),
      ),
    );
  });
  afterAll(() => service.close());

  it.each(HOSTILE.map(([what], n) => [what, `00000000b${n}`]))(
    'is not broken by %s in a crawl receipt',
    async (_, id) => {
      const shown = await page(id);
      expect(shown.status).toBe(200);
      expectUnbroken(shown);
      expect(shown.text.length).toBeLessThan(100_000);
    },
  );

  it.each(HOSTILE)('is not broken by %s in a live receipt', async (_, text) => {
    const id = await stored(hostileReceipt(text));
    const shown = await page(id);
    expect(shown.status).toBe(200);
    expectUnbroken(shown);
    expect(shown.text.length).toBeLessThan(100_000);
  });

  it('a host of a stranger gets no link out of its page', async () => {
    const id = await stored({ ...aReceipt(), url: 'not a URL at all/../..' });
    const shown = await page(id);
    expectUnbroken(shown);
    expect(shown.text).not.toContain('href="/hosts/');
  });

  it('64 offers: the evidence is whole, and the page stays small', async () => {
    const [offer] = aReceipt().live402?.accepts ?? [];
    if (offer === undefined) throw new Error('the sample has an offer');
    const accepts = Array.from({ length: ACCEPTS_MAX_ENTRIES }, () => offer);
    const live402 = { x402Version: 2, source: 'header', accepts } as const;
    const shown = await page(await stored({ ...aReceipt({ seen: null }), live402 }));
    expectUnbroken(shown);
    expect(shown.text.split('&quot;max_timeout_seconds&quot;').length - 1).toBeGreaterThanOrEqual(64);
    expect(shown.text.length).toBeLessThan(100_000);
  });

  it('many diagnostics: the errors first, eight of them open', async () => {
    const warnings = Array.from({ length: 20 }, (_, n) => ({
      code: 'amount_number' as const,
      source: 'body' as const,
      path: `$.accepts[${n}]`,
    }));
    const errors = Array.from({ length: 30 }, (_, n) => ({
      code: 'payee_missing' as const,
      source: 'header' as const,
      path: `$.accepts[${n}].payTo`,
    }));
    const refused = { verdict: 'skip', reason: 'bad_challenge', approvedPayment: null } as const;
    const id = await stored({ ...aReceipt(refused), diagnostics: [...warnings, ...errors] });
    const shown = await page(id);
    expectUnbroken(shown);
    const [open = ''] = /<ul class="fixes">[\s\S]*?<\/ul>/.exec(shown.text) ?? [];
    expect(open.match(/<li class="error">/g)).toHaveLength(8);
    expect(open).not.toContain('class="warning"');
    expect(wordsOf(shown)).toContain('42 more');
  });

  const made = { last: 0 };
  async function stored(receipt: LiveReceipt): Promise<string> {
    made.last += 1;
    const id = receiptId(made.last);
    await service.store.receipts.add({ ...receipt, id }, `key-${id}`);
    return id;
  }
});

function hostileReceipt(text: string): LiveReceipt {
  // Without a statement, from which the store would read the honest offers again.
  const honest = aReceipt({ seen: null });
  const accepts = (honest.live402?.accepts ?? []).map((offer) => ({
    ...offer,
    payTo: text,
    asset: text,
    scheme: text,
  }));
  return {
    ...honest,
    url: `https://a.example/${text}`,
    ref: text,
    task: text,
    reasonText: text,
    live402: { x402Version: 2, source: 'header', accepts },
    listing: { price: null, payTo: text, network: null, sourceList: text },
    expected: { price: null, payTo: `${text}!`, network: null, source: 'listing' },
  };
}
