import type { z } from 'zod';
import { RULES_VERSION } from '../../../core/verdict/verdict.ts';
import type { byUrlResponse } from '../../responses/by-url-response.ts';
import type { crawlReceiptShape, singleCrawlReceipt } from '../../responses/crawl-receipt-json.ts';
import { receiptsSummaryJson, type skipsSummary } from '../../responses/crawl-summary-json.ts';
import { type Links, spotCheckHint } from '../../responses/links.ts';
import type { listedReceipt, liveReceiptShape, receiptListing } from '../../responses/live-receipt-json.ts';
import { proofJson, type proofShape } from '../../responses/proofs/proof-response.ts';
import type { statementShape } from '../../responses/proofs/statement-shape.ts';
import * as value from './example-values.ts';

type CrawlReceipt = z.infer<typeof crawlReceiptShape>;
type LiveReceipt = z.infer<typeof liveReceiptShape>;

export function liveReceiptExample(links: Links): LiveReceipt {
  return {
    ...listedExample(links),
    method: 'GET',
    mode: 'live',
    task: 'weather',
    live_402: {
      x402_version: 2,
      source: 'header',
      accepts: [
        {
          scheme: 'exact',
          network: value.NETWORK,
          asset: value.USDC,
          amount_atomic: '10000',
          amount_usd: 0.01,
          pay_to: value.SELLER,
          max_timeout_seconds: 60,
        },
      ],
    },
    expected: { claimed_price_usd: 0.01, pay_to: null, network: null, source: 'request' },
    approved_payment: value.PAYMENT,
    reason_text: 'The live 402 asks $0.01 in USDC on eip155:8453, as expected.',
    input: null,
    needs_input: null,
    other_method: null,
    payment_terms_sha256: value.TERMS_SHA256,
    probe: { probed_at: value.CHECKED_AT, cached: false, cache_ttl_s: 300 },
    evidence: { payment_required_sha256: EVIDENCE, body_sha256: EVIDENCE },
    rules_version: RULES_VERSION,
  };
}

export function statementExample(): z.infer<typeof statementShape> {
  const offer = { amount: '10000', asset: value.USDC, network: value.NETWORK, pay_to: value.SELLER };
  return {
    assay: 'receipt/1',
    check_type: 'dry-run',
    checked_at: value.CHECKED_AT,
    expected: { price: '10000', source: 'request' },
    id: value.LIVE_ID,
    method: 'GET',
    mode: 'dry-run',
    probe: { at: value.CHECKED_AT },
    reason: 'price_ok',
    reason_text: 'The live 402 asks $0.01 in USDC on eip155:8453, as expected.',
    rules: RULES_VERSION,
    salt: 'AAECAwQFBgcICQoLDA0ODw',
    seen: {
      challenge: {
        demands: [
          { amount: '10000', asset: value.USDC, chain: 'evm', network: value.NETWORK, pay_to: value.SELLER },
        ],
        offers: [{ ...offer, scheme: 'exact' }],
        source: 'header',
        x402_version: 2,
      },
      kind: 'answered',
      payment_required_sha256: EVIDENCE,
      status: 402,
    },
    url: value.ENDPOINT,
    verdict: 'pay',
  };
}

const EVIDENCE = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

function listedExample(links: Links): z.infer<typeof listedReceipt> {
  return {
    id: value.LIVE_ID,
    url: value.ENDPOINT,
    listing: null,
    live_demand: { http_status: 402, x402_challenge: true, error: null, free_trial: null },
    verdict: 'pay',
    reason: 'price_ok',
    checked_at: value.CHECKED_AT,
    check_type: 'dry-run',
    ref: 'order-17',
    permalink: links.receipt(value.LIVE_ID),
  };
}

function crawlExample(links: Links): CrawlReceipt {
  return {
    id: value.CRAWL_ID,
    url: 'https://data.example.net/v1/quote',
    claimed_price_usd: 0.01,
    quoted_price_usd: 0.05,
    pay_to: value.SELLER,
    verdict: 'skip',
    reason: 'price mismatch: listed $0.01, 402 asks $0.05',
    timestamp: value.CHECKED_AT,
    source_list: 'a-list',
    check_type: 'self-checked',
    method: 'GET',
    http_status: 402,
    network: value.NETWORK,
    listed_network: value.NETWORK,
    listed_pay_to: value.SELLER,
    permalink: links.receipt(value.CRAWL_ID),
  };
}

export function singleCrawlExample(links: Links): z.infer<typeof singleCrawlReceipt> {
  return {
    ...crawlExample(links),
    service: 'Assay',
    on_page: `${links.skips}#${value.CRAWL_ID}`,
    spot_check: spotCheckHint(links),
  };
}

export function receiptListingExample(links: Links): z.infer<typeof receiptListing> {
  const cursor = 'MjAyNi0xMS0xNQ';
  return {
    type: 'live',
    ref: null,
    limit: 20,
    count: 1,
    receipts: [listedExample(links)],
    next_cursor: cursor,
    next: `${links.receipts}?type=live&limit=20&cursor=${cursor}`,
  };
}

export function byUrlExample(links: Links): z.infer<typeof byUrlResponse> {
  const crawl = crawlExample(links);
  const { id, verdict, quoted_price_usd = null, pay_to = null, timestamp } = crawl;
  return {
    latest_live: liveReceiptExample(links),
    latest_dry_run: null,
    latest_crawl: crawl,
    history: [{ id, verdict, quoted_price_usd, pay_to, timestamp }],
  };
}

export function receiptsSummaryExample(links: Links): ReturnType<typeof receiptsSummaryJson> {
  const { receipts: _, skips, ...summary } = skipsSummaryExample(links);
  return { ...summary, receipts: skips, note: 'Every receipt of the latest published crawl, 500 a page.' };
}

/** The texts of a real answer with the numbers of a small run. */
export function skipsSummaryExample(links: Links): z.infer<typeof skipsSummary> {
  const { receipts: _, note, ...words } = receiptsSummaryJson(NO_RUN, links, null);
  return {
    ...words,
    endpoints_covered: 3,
    new_this_week: 1,
    previous_run: '2026-11-08T12:00:00.000Z',
    crawled_at: value.CHECKED_AT,
    total_receipts: 3,
    skip: 1,
    pay: 1,
    recheck: 1,
    lists: { 'a-list': 3 },
    listed_in: { 'a-list': 3, 'another-list': 1 },
    sources: {
      'a-list': { ok: true, items: 3, note: 'read in full' },
      'a-paid-list': { ok: false, skipped: true, note: 'costs money' },
    },
    featured_mismatch: links.receipt(value.CRAWL_ID),
    skip_pages: 1,
    skips: [crawlExample(links)],
    receipts: links.receipts,
  };
}

const NO_RUN = { run: null, page: 1, pages: 1, receipts: [], view: null };

export function proofExample(): z.infer<typeof proofShape> {
  return proofJson({
    statement: JSON.stringify(statementExample()),
    proof: `c2sp.org/tlog-proof@v1\nindex 470\n\nassay.example.org/log\n471\n${value.TREE_ROOT}\n\n`,
  });
}
