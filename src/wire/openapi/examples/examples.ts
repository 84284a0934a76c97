import type { z } from 'zod';
import { INTERFACE_VERSION } from '../../../core/interface-version.ts';
import { FREE_SPOT_CHECKS_PER_DAY, LOOKUP_PRICE, PACK_PRICE } from '../../../core/limits.ts';
import { formatUsd, usdNumber } from '../../../core/money/micro-usd.ts';
import { freeAccessJson, type paidAccess, THEN_SPOT_CHECK, thenOf } from '../../responses/access.ts';
import type { Links } from '../../responses/links.ts';
import type { packResponse } from '../../responses/pack-response.ts';
import type { freeShape, paidShape } from '../../responses/spot-check-response.ts';
import type { ShapeName } from '../component-schemas.ts';
import { type Example, shareAll } from './example.ts';
import { hostExample, payeeExample } from './example-hosts.ts';
import { lookupFree, lookupNothing, SERVICE, SERVICES } from './example-lookups.ts';
import {
  byUrlExample,
  liveReceiptExample,
  proofExample,
  receiptListingExample,
  receiptsSummaryExample,
  singleCrawlExample,
  skipsSummaryExample,
  statementExample,
} from './example-receipts.ts';
import * as value from './example-values.ts';

export type ExampleName = keyof ReturnType<typeof examplesAt>;

/** One answer of each kind, with links under the address of the document. */
export function examplesAt(links: Links, sells: boolean) {
  const found = lookupFree(links, sells);
  const examples = {
    lookupFree: example('LookupResponse', 'One service found, a free lookup', found),
    lookupNothing: example('LookupResponse', 'Nothing matched', lookupNothing(found)),
    lookupPaid: example('LookupResponse', 'One service found, paid', {
      ...found,
      access: paid(formatUsd(LOOKUP_PRICE)),
    }),
    checkFree: example('SpotCheckFree', 'The free check of the day: do not pay', checkFree(links, sells)),
    checkPaid: example('SpotCheckPaid', 'A paid check: sign exactly this payment', checkPaid(links)),
    pack: example('Pack', 'The pack', pack()),
    skips: example('SkipsSummary', 'The first page', skipsSummaryExample(links)),
    receiptsSummary: example(
      'ReceiptsSummary',
      'Without type: the latest crawl',
      receiptsSummaryExample(links),
    ),
    receiptListing: example('ReceiptListing', 'With type: stored spot-checks', receiptListingExample(links)),
    byUrl: example('ReceiptsByUrl', 'Receipts of one URL', byUrlExample(links)),
    liveReceipt: example('SingleLiveReceipt', 'A spot-check', liveReceiptExample(links)),
    crawlReceipt: example('SingleCrawlReceipt', 'A receipt of the crawl', singleCrawlExample(links)),
    statement: example('Statement', 'The statement of a spot-check', statementExample()),
    proof: example('Proof', 'The proof of a spot-check', proofExample()),
    tasks: example('Tasks', 'Two tasks', { weather: ['plain-weather'], translation: ['plain-words'] }),
    service: example('Service', 'One service', SERVICE),
    services: example('Services', 'One service found', SERVICES),
    host: example('Host', 'A host with one endpoint', hostExample(links)),
    payee: example('Payee', 'A payee of one endpoint', payeeExample(links)),
    health: example('Health', 'Alive', {
      ok: true,
      status: 'ok',
      version: '0.1.0',
      interface: INTERFACE_VERSION,
    }),
    ready: example('Readiness', 'Ready', {
      ok: true,
      status: 'ok',
      version: '0.1.0',
      checks: { store: 'ok', schema: 'ok', process: 'ok', log: 'ok' },
    }),
  };
  return shareAll(examples);
}

function example(shape: ShapeName, summary: string, answer: unknown): Example {
  return { shape, summary, value: answer };
}

function paid(charged: string): z.infer<typeof paidAccess> {
  return {
    tier: 'paid',
    charged_usd: charged,
    tx: value.TX,
    asset: value.USDC,
    basescan_url: value.EXPLORER,
    payer: value.BUYER,
  };
}

function checkFree(links: Links, sells: boolean): z.infer<typeof freeShape> {
  return {
    verdict: 'skip',
    reason: 'The live 402 asks $0.05, more than the expected $0.01.',
    payment_terms_sha256: null,
    receipt_id: value.LIVE_ID,
    receipt_url: links.receipt(value.LIVE_ID),
    access: freeAccessJson(
      { perDay: FREE_SPOT_CHECKS_PER_DAY, used: 1, remaining: 0 },
      thenOf(THEN_SPOT_CHECK, sells),
    ),
  };
}

function checkPaid(links: Links): z.infer<typeof paidShape> {
  return {
    verdict: 'pay',
    reason: 'price_ok',
    quoted_price_usd: 0.01,
    claimed_price_usd: 0.01,
    pay_to: value.SELLER,
    network: value.NETWORK,
    asset: value.USDC,
    expected_pay_to: null,
    expected_network: null,
    expected_source: 'request',
    payment: value.PAYMENT,
    payment_terms_sha256: value.TERMS_SHA256,
    input: null,
    needs_input: null,
    other_method: null,
    probe: { probed_at: value.CHECKED_AT, cached: false, cache_ttl_s: 300 },
    check_type: 'dry-run',
    receipt_id: value.LIVE_ID,
    receipt_url: links.receipt(value.LIVE_ID),
    receipt_sha256: value.RECEIPT_SHA256,
    receipt_promise: value.RECEIPT_PROMISE,
    access: paid('0.01'),
  };
}

function pack(): z.infer<typeof packResponse> {
  return {
    product: 'overnight-cos-pack',
    title: 'Overnight Chief of Staff',
    price_usdc: usdNumber(PACK_PRICE),
    files: {
      prompts: { 'inbox.md': '# Inbox ...' },
      templates: { 'morning-briefing.html': '<!doctype html> ...' },
      guide: {
        filename: 'guide.pdf',
        content_type: 'application/pdf',
        encoding: 'base64',
        data: 'JVBERi0xLjc=',
      },
    },
    access: {
      ...paid(formatUsd(PACK_PRICE)),
      settlement: { success: true, transaction: value.TX, network: value.NETWORK, payer: value.BUYER },
    },
  };
}
