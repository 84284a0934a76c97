import { describe, expect, it } from 'vitest';
import { aCrawlReceipt } from '../../../tools/samples/crawl-rows.ts';
import { afterNoon, aReceipt, NOON } from '../../../tools/samples/store-receipts.ts';
import type { LiveReceipt } from '../../core/receipt/live-receipt.ts';
import { type ReceiptView, receiptView } from './receipt-view.ts';
import { type ShownVerdict, shownVerdict } from './shown-verdict.ts';

const live = (changes: Partial<LiveReceipt> = {}) =>
  receiptView({ kind: 'live', receipt: aReceipt(changes) });
const NOTHING_EXPECTED = { price: null, payTo: null, network: null, source: null } as const;
const DRY_RUN = { mode: 'dry-run', approvedPayment: null, paymentTermsSha256: null } as const;
const NEEDS_INPUT = {
  verdict: 'skip',
  reason: 'no_paywall',
  approvedPayment: null,
  needsInput: { method: 'GET', status: 400, tried: 'bare', missing: [], example: null },
} as const;
const crawl = (changes: Parameters<typeof aCrawlReceipt>[0]) =>
  receiptView({ kind: 'crawl', receipt: aCrawlReceipt(changes) });

/** The approval of the sample is valid for a minute. */
const JUST_BEFORE = afterNoon(59_999);
const AT_DEADLINE = afterNoon(60_000);

const ROWS: readonly [why: string, view: ReceiptView, now: Date, isCorrected: boolean, ShownVerdict][] = [
  [
    'an approval that is valid',
    live(),
    NOON,
    false,
    { tone: 'pay', word: 'pay', headline: 'PAY: a.example' },
  ],
  [
    'an approval in its last millisecond',
    live(),
    JUST_BEFORE,
    false,
    { tone: 'pay', word: 'pay', headline: 'PAY: a.example' },
  ],
  [
    'an approval at its deadline',
    live(),
    AT_DEADLINE,
    false,
    { tone: 'expired', word: 'was pay, expired', headline: 'WAS PAY: a.example' },
  ],
  [
    'pay with nothing compared',
    live({ expected: NOTHING_EXPECTED }),
    NOON,
    false,
    { tone: 'recheck', word: 'pay, nothing compared', headline: 'PAY, NOTHING COMPARED: a.example' },
  ],
  [
    'pay with nothing compared, too late',
    live({ expected: NOTHING_EXPECTED }),
    AT_DEADLINE,
    false,
    { tone: 'expired', word: 'was pay, expired', headline: 'WAS PAY: a.example' },
  ],
  [
    'a dry run, however old',
    live(DRY_RUN),
    afterNoon(86_400_000),
    false,
    { tone: 'pay', word: 'pay, not an approval', headline: 'PAY, NOT AN APPROVAL: a.example' },
  ],
  [
    'a dry run with nothing compared',
    live({ ...DRY_RUN, expected: NOTHING_EXPECTED }),
    NOON,
    false,
    {
      tone: 'recheck',
      word: 'pay, nothing compared, not an approval',
      headline: 'PAY, NOTHING COMPARED, NOT AN APPROVAL: a.example',
    },
  ],
  [
    'a crawl receipt',
    crawl({ url: 'https://b.example:8443/x', verdict: 'pay', code: 'price_ok' }),
    NOON,
    false,
    { tone: 'pay', word: 'pay, not an approval', headline: 'PAY, NOT AN APPROVAL: b.example:8443' },
  ],
  [
    'a skip, which does not expire',
    live({ verdict: 'skip', reason: 'pay_to_mismatch', approvedPayment: null }),
    afterNoon(86_400_000),
    false,
    { tone: 'skip', word: 'skip', headline: 'SKIP: a.example' },
  ],
  [
    'a recheck',
    live({ verdict: 'recheck', reason: 'timeout', approvedPayment: null }),
    NOON,
    false,
    { tone: 'recheck', word: 'recheck', headline: 'RECHECK: a.example' },
  ],
  [
    'an endpoint that wants input first',
    live(NEEDS_INPUT),
    NOON,
    false,
    { tone: 'aside', word: 'needs input', headline: 'NEEDS INPUT: a.example' },
  ],
  [
    'the same in the crawl, without its details',
    crawl({ verdict: 'skip', code: 'needs_input' }),
    NOON,
    false,
    { tone: 'aside', word: 'needs input', headline: 'NEEDS INPUT: a.example' },
  ],
  [
    'a corrected pay, valid or not',
    live(),
    NOON,
    true,
    { tone: 'aside', word: 'was pay, corrected', headline: 'WAS PAY, CORRECTED: a.example' },
  ],
  [
    'a corrected skip',
    live({ verdict: 'skip', reason: 'price_mismatch', approvedPayment: null }),
    NOON,
    true,
    { tone: 'aside', word: 'was skip, corrected', headline: 'WAS SKIP, CORRECTED: a.example' },
  ],
];

describe('how a verdict is shown', () => {
  it.each(ROWS)('%s', (_, view, now, isCorrected, shown) => {
    expect(shownVerdict(view, now, isCorrected)).toEqual(shown);
  });

  it('cleans and bounds the host of a stranger', () => {
    const { headline } = shownVerdict(live({ url: `${'x'.repeat(200)}\u202e` }), NOON, false);
    expect(headline).toMatch(/^PAY: x{40}…x{18}\ufffd$/u);
  });
});
