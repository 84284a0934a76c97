import { z } from 'zod';
import type { CrawlReceipt } from '../../../core/receipt/crawl-receipt.ts';
import type { CrawlRun } from '../../../core/receipt/crawl-run.ts';
import type { CrawlCode } from '../../../core/verdict/crawl-words.ts';
import { VERDICT_OF_REASON } from '../../../core/verdict/verdict.ts';
import {
  jsonOf,
  storedDiagnostics,
  storedInput,
  storedListing,
  storedMap,
  storedMethod,
  storedMoney,
  storedNeedsInput,
  storedNetwork,
  storedTime,
  storedUsedInput,
} from '../engine/stored-values.ts';

export function encodeCrawlReceipt(receipt: CrawlReceipt): string {
  return jsonOf(receipt);
}

/** Throws when unreadable: receipts are permanent. */
export function decodeCrawlReceipt(text: string): CrawlReceipt {
  return storedCrawlReceipt.parse(JSON.parse(text));
}

export function encodeCrawlRun(run: CrawlRun): string {
  return JSON.stringify(z.encode(storedCrawlRun, run));
}

export function decodeCrawlRun(text: string): CrawlRun {
  return storedCrawlRun.parse(JSON.parse(text));
}

const ONLY_IN_CRAWLS: readonly unknown[] = ['path_template', 'name_not_found', 'host_silent', 'needs_input'];

const storedCrawlReceipt = z.strictObject({
  id: z.string(),
  url: z.string(),
  claimedPrice: storedMoney.nullable(),
  quotedPrice: storedMoney.nullable(),
  payTo: z.string().nullable(),
  verdict: z.enum(['pay', 'skip', 'recheck']),
  code: z.custom<CrawlCode>(
    (value) =>
      typeof value === 'string' &&
      (Object.hasOwn(VERDICT_OF_REASON, value) || ONLY_IN_CRAWLS.includes(value)),
  ),
  reason: z.string(),
  checkedAt: storedTime,
  sourceList: z.string(),
  listedIn: z.array(z.string()).readonly(),
  method: z.enum(['GET', 'POST']),
  httpStatus: z.int().nullable(),
  network: storedNetwork.nullable(),
  listedNetwork: storedNetwork.nullable(),
  listedPayTo: z.string().nullable(),
  listings: z.array(storedListing).readonly().exactOptional(),
  diagnostics: storedDiagnostics.exactOptional(),
  input: storedUsedInput.exactOptional(),
  needsInput: storedNeedsInput.exactOptional(),
  otherMethod: storedMethod.exactOptional(),
  listedInput: storedInput.exactOptional(),
});

const storedListSource = z.strictObject({
  ok: z.boolean(),
  items: z.int().nullable(),
  skipped: z.boolean(),
  note: z.string(),
});

const storedFacets = z.strictObject({
  reasons: storedMap(z.int()),
  lists: storedMap(
    z.strictObject({
      rows: z.int(),
      skips: z.int(),
      disagree: z.int(),
      setAside: z.int().default(0),
    }),
  ),
  networks: storedMap(z.int()),
  priceGaps: z.int(),
  newSkips: z.int(),
  newestSkips: z.array(z.string()).readonly(),
});

const storedCrawlRun = z.strictObject({
  id: z.string(),
  crawledAt: storedTime,
  previousRun: storedTime.nullable(),
  summary: z.strictObject({
    endpointsCovered: z.int(),
    newThisWeek: z.int(),
    verdicts: z.strictObject({ pay: z.int(), skip: z.int(), recheck: z.int() }),
    // Absent in runs of older releases, like the next default.
    needsInput: z.int().default(0),
    lists: storedMap(z.int()),
    listedIn: storedMap(z.int()),
    featuredId: z.string().nullable(),
    skipPages: z.int(),
    receiptPages: z.int(),
    facets: storedFacets.nullable().default(null),
  }),
  sources: storedMap(storedListSource),
});
