import { z } from 'zod';
import { CRAWL_PAGE_SIZE } from '../../core/limits.ts';
import type { CrawlRun } from '../../core/receipt/crawl-run.ts';
import { type CrawlPage, pagesOf, type SkipView } from '../../flows/read/list-crawl.ts';
import { NO_NOTES, type SellerNotes } from '../../flows/seller/seller-notes.ts';
import { filterParameters, viewUrl } from '../requests/skips-request.ts';
import { crawlReceiptJson, crawlReceiptShape, skipRowJson, skipRowShape } from './crawl-receipt-json.ts';
import { type Links, spotCheckHint } from './links.ts';
import { moment } from './shapes.ts';

const count = z.int().nonnegative();
const counts = z.record(z.string(), count);

const summaryMembers = {
  endpoints_covered: count,
  new_this_week: count,
  previous_run: moment.nullable(),
  crawled_at: moment.nullable().describe('Null until the first run is published'),
  total_receipts: count,
  skip: count,
  pay: count,
  recheck: count,
  needs_input: count.describe('Of the skips, those that want input before they ask for payment; set aside'),
  check_type: z.literal('self-checked'),
  lists: counts.describe('Each URL once, under the list that won it'),
  listed_in: counts.describe('Each URL under every list it is on'),
  sources: z.record(
    z.string(),
    z.object({ ok: z.boolean(), items: count.optional(), skipped: z.boolean().optional(), note: z.string() }),
  ),
  dedupe: z.string(),
  method: z.string(),
  spot_check: z.string(),
  featured_mismatch: z.string().nullable().describe('URL of one receipt'),
  skip_pages: count,
  page_size: count,
  page: count,
  pages: count,
  next: z.string().nullable(),
  prev: z.string().nullable(),
  skips_html: z.string(),
  skips_json: z.string(),
  receipt_by_url: z.string().describe('URL template'),
};

const text = z.string().nullable();

/** The filter as parsed. */
export const skipFilterShape = z.object({
  reason: text,
  list: text,
  network: text,
  host: text,
  q: text,
  sort: z.enum(['url', 'price_gap']),
  matches: count.describe('Number of matching skips'),
});

/** /v1/skips.json */
export const skipsSummary = z.object({
  ...summaryMembers,
  skips: z.array(skipRowShape),
  receipts: z.string().describe('URL of the receipts listing'),
  filter: skipFilterShape.optional().describe('Only with a filter or sort parameter'),
});

/** /v1/receipts without a type */
export const receiptsSummary = z.object({
  ...summaryMembers,
  receipts: z.array(crawlReceiptShape),
  note: z.string(),
});

export function skipsSummaryJson(
  page: CrawlPage,
  links: Links,
  notes: SellerNotes = NO_NOTES,
): z.infer<typeof skipsSummary> {
  return {
    ...summaryJson(page, links, links.skipsJson),
    skips: page.receipts.map((receipt) => skipRowJson(receipt, links, notes.get(receipt.id))),
    receipts: links.receipts,
    ...(page.view === null ? {} : { filter: filterJson(page.view) }),
  };
}

function filterJson({ filter, matches }: SkipView): z.infer<typeof skipFilterShape> {
  return { ...filterParameters(filter), sort: filter.sort, matches };
}

export function receiptsSummaryJson(page: CrawlPage, links: Links): z.infer<typeof receiptsSummary> {
  return {
    ...summaryJson(page, links, links.receipts),
    receipts: page.receipts.map((receipt) => crawlReceiptJson(receipt, links)),
    note: page.run === null ? NO_RUN_YET : 'Every receipt of the latest published crawl, 500 a page.',
  };
}

const NO_RUN_YET = 'No crawl has been published yet.';
const DEDUPE =
  'normalized URL: lower-case scheme and host, no default port, no fragment, no trailing slash, sorted query';
const METHOD =
  "one unpaid GET or POST per listed URL, 5 s timeout, at most 3 in flight per host, never a payment; the listing's example parameters, or what its schema asks for, only after a 4xx that may mean missing input; nothing more to a host that left 30 requests in a row unanswered";

function summaryJson({ run, page, pages, view }: CrawlPage, links: Links, listing: string) {
  const summary = run?.summary;
  const featured = summary?.featuredId ?? null;
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
    featured_mismatch: featured === null ? null : links.receipt(featured),
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
