import { memoizeFor } from '../../core/concurrency/memoize-for.ts';
import type { CrawlRun } from '../../core/receipt/crawl-run.ts';
import { isEverySkip, type SkipFilter } from '../../core/receipt/skip-filter.ts';
import { type CorrectedPorts, withCorrections } from '../../flows/read/corrected-receipts.ts';
import { featuredReceipt } from '../../flows/read/featured-receipt.ts';
import {
  type CountSkips,
  type CrawlPage,
  listCrawl,
  listSkips,
  newestSkips,
} from '../../flows/read/list-crawl.ts';
import { type OverviewPorts, skipsOverview } from '../../flows/read/skips-overview.ts';
import { NO_NOTES, type NotePorts, notesOf } from '../../flows/seller/seller-notes.ts';
import { ATOM_TYPE, skipsFeed } from '../../pages/skips/skips-feed.ts';
import { type SkipsPageParts, skipsPage } from '../../pages/skips/skips-page.ts';
import type { PublishedRuns } from '../../ports/crawl-runs.ts';
import { viewUrl } from '../../wire/requests/skips-request.ts';
import {
  type BesideSkips,
  receiptsSummaryJson,
  skipsSummaryJson,
} from '../../wire/responses/crawl-summary-json.ts';
import type { Links } from '../../wire/responses/links.ts';
import type { Problem } from '../../wire/responses/problem.ts';
import { CSV_TYPE, skipsCsv } from '../../wire/responses/skips-csv.ts';
import {
  type Answer,
  answerProblem,
  answerRendered,
  type Rendered,
  rendered,
  renderedJson,
} from '../exchange/answer.ts';
import { FOR_A_MINUTE } from '../exchange/caching.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { HTML_HEADERS, HTML_TYPE } from '../exchange/html-headers.ts';
import { createRenderedCache } from '../exchange/rendered-cache.ts';
import { createSellerRevision } from '../exchange/seller-revision.ts';
import { createViewCounts } from './view-counts.ts';

/** The formats of a page of a crawl. */
export type CrawlForm = 'skips' | 'skips_html' | 'skips_csv' | 'receipts';

export interface WantedPage {
  readonly form: CrawlForm;
  readonly page: number;
  readonly filter: SkipFilter;
}

export interface CrawlPages {
  /** The latest published run, at most a second old. */
  latest(): Promise<CrawlRun | null>;
  answer(exchange: Exchange, wanted: WantedPage): Promise<Answer>;
  /** The feed of new skips. */
  feed(exchange: Exchange): Promise<Answer>;
}

export interface CrawlPageParts {
  readonly runs: PublishedRuns;
  readonly now: () => Date;
  readonly notes: NotePorts;
  readonly corrections: OverviewPorts['corrections'] & CorrectedPorts['corrections'];
}

/** A page is kept for a minute, per published run, public address and revision of what owners had us keep or was withdrawn. */
export function createCrawlPages({ runs, now, notes, corrections }: CrawlPageParts): CrawlPages {
  const latest = memoizeFor(
    () => runs.latest(),
    LATEST_FOR_MS,
    () => now().getTime(),
  );
  const revision = createSellerRevision(notes.sellers, now);
  const fresh = { forMs: FRESH_MS, now };
  const pages = createRenderedCache<Page>({ maxBytes: KEPT_BYTES, fresh });
  // Separate: a caller that tries many filters must not evict the common pages.
  const filtered = createRenderedCache<Page>({ maxBytes: KEPT_BYTES, fresh });
  const feeds = createRenderedCache<Rendered>({ maxBytes: FEEDS_BYTES, fresh });
  const counts = createViewCounts(runs);
  const noteAll = async (receipts: CrawlPage['receipts']) =>
    withCorrections(await notesOf(receipts, notes), { corrections });
  const pageOf = async (run: CrawlRun | null, wanted: WantedPage, exchange: Exchange): Promise<Page> => {
    const { links } = exchange;
    const { form, page, filter } = wanted;
    const noted = await revision();
    const render = async () => {
      const found = await find(run, wanted, runs, counts(exchange.networks()));
      if (typeof found === 'string') return found;
      const beside = {
        notes: noted === null || form === 'receipts' ? NO_NOTES : await noteAll(found.receipts),
        overview: form === 'skips_html' ? await skipsOverview(found, { runs, corrections }) : null,
        featured: FEATURING.has(form) ? await featuredReceipt(run, { runs, corrections }) : null,
      };
      return renderPage(found, beside, form, links);
    };
    if (run === null) return render();
    const key = `${run.id} ${noted} ${links.base} ${form} ${page}`;
    return isEverySkip(filter) ? pages(key, render) : filtered(`${key} ${JSON.stringify(filter)}`, render);
  };
  return {
    latest,
    async answer(exchange, wanted) {
      const page = await pageOf(await latest(), wanted, exchange);
      return typeof page === 'string'
        ? answerProblem(exchange, PROBLEM_OF[page])
        : answerRendered(exchange, page);
    },
    async feed(exchange) {
      const run = await latest();
      const { links } = exchange;
      const render = async () =>
        rendered(
          await skipsFeed(run, await newestSkips(run, { runs, corrections }), links),
          ATOM_TYPE,
          FOR_A_MINUTE,
        );
      if (run === null) return answerRendered(exchange, await render());
      return answerRendered(exchange, await feeds(`${run.id} ${await revision()} ${links.base}`, render));
    },
  };
}

type NoPage = 'no such page' | 'busy';
type Page = Rendered | NoPage;

/** A newly published run shows after at most this long. */
const LATEST_FOR_MS = 1_000;
/**
 * As long as caches outside keep a page. The revision comes from the database, and the rows perhaps from a replica that is seconds
 * behind: what was withdrawn in between would stay until the next run.
 */
const FRESH_MS = 60_000;
/** About 120 pages of 250 kB. */
const KEPT_BYTES = 32_000_000;
const FEEDS_BYTES = 2_000_000;
const PROBLEM_OF: Readonly<Record<NoPage, Problem>> = {
  'no such page': { code: 'not_found', detail: 'The listing does not have this page.' },
  busy: {
    code: 'overloaded',
    detail: 'Too many filter queries in progress; try again shortly.',
    retryAfterSeconds: 1,
  },
};

async function find(
  run: CrawlRun | null,
  { form, page, filter }: WantedPage,
  runs: PublishedRuns,
  counts: CountSkips,
): Promise<CrawlPage | NoPage> {
  if (!isEverySkip(filter)) {
    return (await listSkips(run, { filter, page }, runs, counts)) ?? 'no such page';
  }
  const listing = form === 'receipts' ? 'all' : 'skip';
  return (await listCrawl(run, { listing, page }, runs)) ?? 'no such page';
}

async function renderPage(
  found: CrawlPage,
  beside: SkipsPageParts & BesideSkips,
  form: CrawlForm,
  links: Links,
): Promise<Rendered> {
  const { notes, featured } = beside;
  const headers = { ...FOR_A_MINUTE, link: pageLinks(found, LISTING_OF[form](links)).join(', ') };
  switch (form) {
    case 'receipts':
      return renderedJson(receiptsSummaryJson(found, links, featured), headers);
    case 'skips':
      return renderedJson(skipsSummaryJson(found, links, beside), headers);
    case 'skips_csv':
      return rendered(skipsCsv(found.receipts, links, notes), CSV_TYPE, { ...headers, ...CSV_NAME });
    case 'skips_html':
      return rendered(await skipsPage(found, links, beside), HTML_TYPE, {
        ...HTML_HEADERS,
        ...headers,
        ...(found.view === null ? {} : NO_INDEX),
        link: `${headers.link}, <${links.skipsAtom}>; rel="alternate"; type="application/atom+xml"`,
      });
  }
}

const FEATURING: ReadonlySet<CrawlForm> = new Set(['skips', 'receipts']);
/** Filtered views are not indexed: there are too many. */
const NO_INDEX = { 'x-robots-tag': 'noindex' };
const CSV_NAME = { 'content-disposition': 'attachment; filename="skips.csv"' };

const LISTING_OF: Readonly<Record<CrawlForm, (links: Links) => string>> = {
  skips: ({ skipsJson }) => skipsJson,
  skips_html: ({ skips }) => skips,
  skips_csv: ({ skipsCsv: csv }) => csv,
  receipts: ({ receipts }) => receipts,
};

function pageLinks({ page, pages, view }: CrawlPage, listing: string): string[] {
  const relations: [string, number][] = [
    ['first', 1],
    ['prev', page - 1],
    ['next', page + 1],
    ['last', pages],
  ];
  return relations
    .filter(([, target]) => target >= 1 && target <= pages)
    .map(([relation, target]) => `<${viewUrl(listing, view?.filter ?? null, target)}>; rel="${relation}"`);
}
