import { describe, expect, it } from 'vitest';
import { aCrawlReceipt } from '../../../tools/samples/crawl-rows.ts';
import { afterNoon, aReceipt, NOON } from '../../../tools/samples/store-receipts.ts';
import { microUsd } from '../../core/money/micro-usd.ts';
import type { CrawlReceipt } from '../../core/receipt/crawl-receipt.ts';
import type { LiveReceipt } from '../../core/receipt/live-receipt.ts';
import type { FoundReceipt } from '../../flows/read/read-receipts.ts';
import { receiptCard } from './receipt-card.ts';

const links = { base: 'https://assay.example.org' };
const live = (changes: Partial<LiveReceipt> = {}): FoundReceipt => ({
  kind: 'live',
  receipt: aReceipt(changes),
});
const crawl = (changes: Partial<CrawlReceipt> = {}): FoundReceipt => ({
  kind: 'crawl',
  receipt: aCrawlReceipt(changes),
});
const draw = (found: FoundReceipt, now = NOON) => receiptCard({ found, correction: null, links, now });
const textsOf = (svg: string) =>
  [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text);
const NOTHING = { price: null, payTo: null, network: null, source: null } as const;

const ROWS: readonly [why: string, found: FoundReceipt, now: Date, texts: readonly string[]][] = [
  [
    'an approval, with its end: a picture is kept for long',
    live(),
    NOON,
    [
      ...['Assay', 'assay.example.org', 'pay', 'a.example'],
      'The live 402 asks what was expected.',
      'Approved until 2026-11-15 12:01 UTC.',
      ...['Asks', '$0.01', 'Expected', '$0.01', 'Live check, UTC', '2026-11-15 12:00'],
      ...['Receipt', 'sc-0000000000000001'],
    ],
  ],
  [
    'an approval that is over',
    live(),
    afterNoon(60_000),
    [
      ...['Assay', 'assay.example.org', 'was pay', 'expired', 'a.example'],
      'This approval has expired. Check again before you pay.',
      ...['Asks', '$0.01', 'Expected', '$0.01', 'Live check, UTC', '2026-11-15 12:00'],
      ...['Receipt', 'sc-0000000000000001'],
    ],
  ],
  [
    'a price of a listing',
    crawl(),
    NOON,
    [
      ...['Assay', 'assay.example.org', 'skip', 'a.example'],
      'The live 402 asks $0.05, more than the listed $0.01.',
      ...['Asks', '$0.05', 'Listed', '$0.01', 'Weekly check, UTC', '2026-11-15 12:00'],
      ...['Receipt', '0000000001'],
    ],
  ],
];

describe('the card of a receipt', () => {
  it.each(ROWS)('%s', async (_, found, now, texts) => {
    expect(textsOf(await draw(found, now))).toEqual(texts);
  });

  it.each<[string, FoundReceipt, string]>([
    ['nothing compared', live({ expected: NOTHING }), 'Valid terms, but no price or payee to compare with.'],
    [
      'a lower price',
      crawl({ quotedPrice: microUsd(9_000n) }),
      'The live 402 asks $0.009, less than the listed $0.01.',
    ],
    [
      'a price that cannot be read',
      crawl({ quotedPrice: null }),
      'The live 402 asks a price other than expected.',
    ],
    [
      'the wallet of a stranger, which is not shown',
      crawl({ code: 'pay_to_mismatch' }),
      'The payee of the live 402 is not the expected payee.',
    ],
    ['input', crawl({ code: 'needs_input' }), 'It needs input before it asks for payment. Not a fault.'],
  ])('says in our words: %s', async (_, found, words) => {
    expect(textsOf(await draw(found)).join(' ')).toContain(words);
  });

  it('a correction: what we said, and what is right', async () => {
    const svg = await receiptCard({ found: live(), correction: { is: 'skip' }, links, now: NOON });
    expect(textsOf(svg)).toEqual(
      expect.arrayContaining(['was pay', 'corrected', 'We said pay. The right verdict is skip.']),
    );
  });

  it.each([
    ['markup', 'https://h"><script>alert(1)</script>/x'],
    ['no URL', '"><script>alert(1)</script>'],
    ['text that is turned around', 'https://\u202eabc\u2066.example/'],
    ['characters that are no host name', "https://a'onload='x.example/"],
    ['a host of 2,000 characters', `https://${'x'.repeat(2_000)}.example/`],
    ['a scheme without a host', 'data:text/html,<script>alert(1)</script>'],
  ])('shows no host that is %s', async (_, url) => {
    const texts = textsOf(
      await draw(crawl({ url, reason: url, payTo: url, listedPayTo: url, sourceList: url })),
    );
    expect(texts).toContain('an endpoint');
    expect(texts.join()).not.toMatch(/script|onload|xxx|[^ -~…]/);
  });

  it('shows the beginning and the end of a long host', async () => {
    const texts = textsOf(
      await draw(crawl({ url: `https://bank.example.${'long-label.'.repeat(12)}thief.example/x` })),
    );
    expect(texts).toContain('bank.example.long-label.long-lab…l.thief.example');
  });

  it('bounds a price that no wallet could pay', async () => {
    const svg = await draw(crawl({ quotedPrice: microUsd(10n ** 60n) }));
    expect(textsOf(svg)).toContain('over $999,999');
    expect(textsOf(svg).join(' ')).not.toContain('000000000000');
  });
});
