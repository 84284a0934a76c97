import * as z from 'zod';
import { CRAWL_PAGE_SIZE } from '../../core/limits.ts';
import type { CrawlReceipt } from '../../core/receipt/crawl-receipt.ts';
import type { CrawlRun } from '../../core/receipt/crawl-run.ts';
import { type CrawlPage, pagesOf, type SkipView } from '../../flows/read/list-crawl.ts';
import type { SellerNotes } from '../../flows/seller/seller-notes.ts';
import { filterParameters, SKIPS_ORDERS, viewUrl } from '../requests/skips-request.ts';
import { crawlReceiptJson, crawlReceiptShape, skipRowJson, skipRowShape } from './crawl-receipt-json.ts';
import { type Links, spotCheckHint } from './links.ts';
import { closedList, moment } from './shapes.ts';

const count = z.int().nonnegative();
const counts = z.record(z.string(), count);

const source = z.object({
  ok: z
    .boolean()
    .describe('True if the list was read; false if that failed, or if it is left out on purpose.'),
  items: count.optional().describe('Rows that were read.'),
  skipped: z.boolean().optional().describe('True if the list is left out on purpose.'),
  note: z.string().describe('What happened, in words.'),
});

const summaryMembers = {
  endpoints_covered: count.describe('Different listed URLs, after normalization.'),
  new_this_week: count.describe('URLs that the previous run did not have.'),
  previous_run: moment.nullable().describe('Time of the previous run, UTC; null if there was none.'),
  crawled_at: moment
    .nullable()
    .describe('Time of the latest run, UTC; null until the first one is published.'),
  total_receipts: count.describe('Receipts of the run.'),
  skip: count.describe('Receipts with verdict skip.'),
  pay: count.describe('Receipts with verdict pay.'),
  recheck: count.describe('Receipts with verdict recheck.'),
  needs_input: count.describe(
    'Skips of endpoints that require input before they ask for payment; set aside.',
  ),
  check_type: z.literal('self-checked').describe('Always self-checked: the caller is the crawl.'),
  lists: counts.describe('URLs per list; each URL once, under the list that won it.'),
  listed_in: counts.describe('URLs per list; each URL under every list that it is on.'),
  sources: z.record(z.string(), source).describe('Result of reading each list, by its name.'),
  dedupe: z.string().describe('When two URLs count as the same, in words.'),
  method: z.string().describe('How the crawl probes, in words.'),
  spot_check: z.string().describe('How to check an endpoint now, in words.'),
  featured_mismatch: z
    .string()
    .nullable()
    .describe(
      'URL of the receipt with the largest price difference, else of another skip; null without one that stands.',
    ),
  skip_pages: count.describe('Pages of the list of skips.'),
  page_size: count.describe('Maximum number of receipts on a page.'),
  page: count.describe('This page, from 1.'),
  pages: count.describe('Pages of this listing.'),
  next: z.string().nullable().describe('URL of the next page; null on the last.'),
  prev: z.string().nullable().describe('URL of the previous page; null on the first.'),
  skips_html: z.string().describe('URL of the list of skips for people.'),
  skips_json: z.string().describe('URL of the list of skips as JSON.'),
  receipt_by_url: z.string().describe('Template of a URL that gives the receipts of one endpoint.'),
};

const filtered = (what: string) => z.string().nullable().describe(`${what} of the filter; null without one.`);

/** The filter as parsed. */
export const skipFilterShape = z.object({
  reason: filtered('Reason code'),
  list: filtered('Discovery list'),
  network: filtered('Network'),
  host: filtered('Host'),
  q: filtered('Text in the URL'),
  sort: closedList('Order.', SKIPS_ORDERS),
  matches: count.describe('Skips that match.'),
});

/** /v1/skips.json */
export const skipsSummary = z.object({
  ...summaryMembers,
  skips: z.array(skipRowShape).describe('Receipts with verdict skip, one page.'),
  receipts: z.string().describe('URL of the listing of all crawl receipts.'),
  filter: skipFilterShape
    .optional()
    .describe('The filter as understood; only with a filter or sort parameter.'),
});

/** /v1/receipts without a type */
export const receiptsSummary = z.object({
  ...summaryMembers,
  receipts: z.array(crawlReceiptShape).describe('Receipts of the run, one page.'),
  note: z.string().describe('What is listed, in words.'),
});

export interface BesideSkips {
  readonly notes: SellerNotes;
  /** Null where there is none that may be shown. */
  readonly featured: CrawlReceipt | null;
}

export function skipsSummaryJson(
  page: CrawlPage,
  links: Links,
  { notes, featured }: BesideSkips,
): z.infer<typeof skipsSummary> {
  return {
    ...summaryJson(page, links, featured, links.skipsJson),
    skips: page.receipts.map((receipt) => skipRowJson(receipt, links, notes.get(receipt.id))),
    receipts: links.receipts,
    ...(page.view === null ? {} : { filter: filterJson(page.view) }),
  };
}

function filterJson({ filter, matches }: SkipView): z.infer<typeof skipFilterShape> {
  return { ...filterParameters(filter), sort: filter.sort, matches };
}

export function receiptsSummaryJson(
  page: CrawlPage,
  links: Links,
  featured: CrawlReceipt | null,
): z.infer<typeof receiptsSummary> {
  return {
    ...summaryJson(page, links, featured, links.receipts),
    receipts: page.receipts.map((receipt) => crawlReceiptJson(receipt, links)),
    note: page.run === null ? NO_RUN_YET : 'Every receipt of the latest published crawl, 500 a page.',
  };
}

const NO_RUN_YET = 'No crawl has been published yet.';
const DEDUPE =
  'normalized URL: lower-case scheme and host, no default port, no fragment, no trailing slash, sorted query';
const METHOD =
  "one unpaid GET or POST per listed URL, 5 s timeout, at most 3 in flight per host, never a payment; the listing's example parameters, or what its schema asks for, only after a 4xx that may mean missing input; the other method where lists differ about it; nothing more to a host that left 30 requests in a row unanswered";

function summaryJson(
  { run, page, pages, view }: CrawlPage,
  links: Links,
  featured: CrawlReceipt | null,
  listing: string,
) {
  const summary = run?.summary;
  const filter = view?.filter ?? null;
  return {
    endpoints_covered: summary?.endpointsCovered ?? 0,
    new_this_week: summary?.newThisWeek ?? 0,
    previous_run: run?.previousRun?.toISOString() ?? null,
    crawled_at: run?.crawledAt.toISOString() ?? null,
    total_receipts: summary?.endpointsCovered ?? 0,
    skip: summary?.verdicts.skip ?? 0,
    pay: summary?.verdicts.pay ?? 0,
    recheck: summary?.verdicts.recheck ?? 0,
    needs_input: summary?.needsInput ?? 0,
    check_type: 'self-checked' as const,
    lists: Object.fromEntries(summary?.lists ?? []),
    listed_in: Object.fromEntries(summary?.listedIn ?? []),
    sources: sourcesJson(run),
    dedupe: DEDUPE,
    method: METHOD,
    spot_check: spotCheckHint(links),
    featured_mismatch: featured === null ? null : links.receipt(featured.id),
    skip_pages: pagesOf(run, 'skip'),
    page_size: CRAWL_PAGE_SIZE,
    page,
    pages,
    next: page < pages ? viewUrl(listing, filter, page + 1) : null,
    prev: page > 1 ? viewUrl(listing, filter, page - 1) : null,
    skips_html: links.skips,
    skips_json: links.skipsJson,
    receipt_by_url: `${links.receipts}/by-url?url={url}`,
  };
}

function sourcesJson(run: CrawlRun | null): z.infer<typeof skipsSummary>['sources'] {
  const sources = [...(run?.sources ?? [])].map(([list, { ok, items, skipped, note }]) => {
    const counted = items === null ? {} : { items };
    return [list, { ok, ...counted, ...(skipped ? { skipped } : {}), note }] as const;
  });
  return Object.fromEntries(sources);
}
