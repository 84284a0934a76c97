import * as z from 'zod';
import type { CrawlReceipt } from '../../../core/receipt/crawl-receipt.ts';
import type { CrawlRun } from '../../../core/receipt/crawl-run.ts';
import { hasStatementForm, readStatement } from '../../../core/statement/read-statement.ts';
import { statedCrawl, statementOfCrawl } from '../../../core/statement/stated-crawl.ts';
import type { CrawlCode } from '../../../core/verdict/crawl-words.ts';
import { VERDICT_OF_REASON } from '../../../core/verdict/verdict.ts';
import type { CrawlReceiptRow } from '../engine/crawl-tables.ts';
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

/** The statement is public; beside it stands what is kept for later checks. */
export type CrawlColumns = Pick<CrawlReceiptRow, 'body' | 'beside'>;

export function encodeCrawlReceipt(receipt: CrawlReceipt): CrawlColumns {
  const body = statementOfCrawl(receipt);
  if (body === null) return { body: jsonOf(receipt), beside: null };
  const { listings, listedInput } = receipt;
  const isAlone = listings === undefined && listedInput === undefined;
  return { body, beside: isAlone ? null : jsonOf({ listings, listedInput }) };
}

/** Throws when unreadable: receipts are permanent. */
export function decodeCrawlReceipt({ body, beside }: CrawlColumns): CrawlReceipt {
  const value: unknown = JSON.parse(body);
  if (!hasStatementForm(value)) return storedCrawlReceipt.parse(value);
  const statement = readStatement(body, value);
  const receipt = statement?.kind === 'crawl' ? statedCrawl(statement) : null;
  if (receipt === null) throw new Error('a stored statement cannot be read');
  return beside === null ? receipt : { ...receipt, ...storedBeside.parse(JSON.parse(beside)) };
}

export function encodeCrawlRun(run: CrawlRun): string {
  return JSON.stringify(z.encode(storedCrawlRun, run));
}

export function decodeCrawlRun(text: string): CrawlRun {
  return storedCrawlRun.parse(JSON.parse(text));
}

const ONLY_IN_CRAWLS: readonly unknown[] = ['path_template', 'name_not_found', 'host_silent', 'needs_input'];

const storedBeside = z.strictObject({
  listings: z.array(storedListing).readonly().exactOptional(),
  listedInput: storedInput.exactOptional(),
});

/** Receipts from before there were statements. */
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
  sha256: z.string().exactOptional(),
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
