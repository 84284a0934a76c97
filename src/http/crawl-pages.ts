import { remembered } from '../core/concurrency/memoize-for.ts';
import type { CrawlRun } from '../core/receipt/crawl-run.ts';
import { EVERY_SKIP, isEverySkip, type SkipFilter } from '../core/receipt/skip-filter.ts';
import { type CrawlPage, listCrawl, listSkips, newestSkips } from '../flows/read/list-crawl.ts';
import { ATOM_TYPE, skipsFeed } from '../pages/skips/skips-feed.ts';
import { skipsPage } from '../pages/skips/skips-page.ts';
import type { PublishedRuns } from '../ports/crawl-runs.ts';
import { viewUrl } from '../wire/requests/skips-request.ts';
import { receiptsSummaryJson, skipsSummaryJson } from '../wire/responses/crawl-summary-json.ts';
import type { Links } from '../wire/responses/links.ts';
import type { Problem } from '../wire/responses/problem.ts';
import { CSV_TYPE, skipsCsv } from '../wire/responses/skips-csv.ts';
import {
  type Answer,
  answerProblem,
  answerRendered,
  type Rendered,
  rendered,
  renderedBytes,
  renderedJson,
} from './answer.ts';
import { boundedCache } from './bounded-cache.ts';
import type { Exchange } from './exchange/exchange.ts';
import { HTML_HEADERS, HTML_TYPE } from './exchange/html-headers.ts';
import { createViewCounts, type ViewCounts } from './view-counts.ts';

/** The forms in which a page of a crawl is shown. */
export type CrawlForm = 'skips' | 'skips_html' | 'skips_csv' | 'receipts';

export interface WantedPage {
  readonly form: CrawlForm;
  readonly page: number;
  readonly filter: SkipFilter;
}

export interface CrawlPages {
  /** At once when the page is at hand. */
  answer(exchange: Exchange, wanted: WantedPage): Answer | Promise<Answer>;
  /** The feed of new skips. */
  feed(exchange: Exchange): Promise<Answer>;
}

/** A page is rendered once per published run and public address; a run never changes. */
export function createCrawlPages(runs: PublishedRuns, now: () => Date): CrawlPages {
  const latest = remembered(() => runs.latest(), LATEST_FOR_MS, now);
  const bytes = { max: KEPT_BYTES, of: renderedBytes };
  const pages = boundedCache(KEPT_PAGES, bytes);
  // Apart, so that whoever tries many filters cannot push out what everybody reads.
  const filtered = boundedCache(KEPT_FILTERED, bytes);
  const counts = createViewCounts(runs);
  const keptPage = (run: CrawlRun | null, { form, page, filter }: WantedPage, { base }: Links) => {
    const every = isEverySkip(filter);
    const name = `${run?.id} ${base} ${form} ${page}`;
    const [kept, key] = every ? [pages, name] : [filtered, `${name} ${JSON.stringify(filter)}`];
    return { known: kept.get(key), keep: (fresh: Rendered) => kept.set(key, fresh) };
  };
  const answerLater = async (exchange: Exchange, wanted: WantedPage) => {
    const run = await latest.get();
    const { known, keep } = keptPage(run, wanted, exchange.links);
    if (known !== undefined) return answerRendered(exchange, known);
    const found = await find(run, wanted, runs, counts);
    if (found === null) return answerProblem(exchange, NO_SUCH_PAGE);
    if (found === 'busy') return answerProblem(exchange, BUSY);
    const fresh = await render(found, wanted.form, exchange.links);
    if (run !== null) keep(fresh);
    return answerRendered(exchange, fresh);
  };
  const fronts = new Map<CrawlForm, FrontPage>();
  const atHand = (run: CrawlRun | null, wanted: WantedPage, { links }: Exchange) => {
    const { form, page, filter } = wanted;
    const isFront = page === 1 && filter === EVERY_SKIP;
    const front = isFront ? fronts.get(form) : undefined;
    if (front?.run === run && front?.links === links) return front.rendered;
    const { known } = keptPage(run, wanted, links);
    if (isFront && known !== undefined) fronts.set(form, { run, links, rendered: known });
    return known;
  };
  return {
    answer(exchange, wanted) {
      const run = latest.atHand();
      const known = run === null ? undefined : atHand(run.value, wanted, exchange);
      return known === undefined ? answerLater(exchange, wanted) : answerRendered(exchange, known);
    },
    async feed(exchange) {
      const run = await latest.get();
      const key = `${run?.id} ${exchange.links.base} feed`;
      const known = pages.get(key);
      if (known !== undefined) return answerRendered(exchange, known);
      const text = await skipsFeed(run, await newestSkips(run, runs), exchange.links);
      const fresh = rendered(text, ATOM_TYPE, SHORT);
      if (run !== null) pages.set(key, fresh);
      return answerRendered(exchange, fresh);
    },
  };
}

/** The page that nearly everybody asks for, found without its name being put together. */
interface FrontPage {
  readonly run: CrawlRun | null;
  readonly links: Links;
  readonly rendered: Rendered;
}

/** A newly published run shows after at most this long. */
const LATEST_FOR_MS = 1_000;
/** At about 250 kB each, unless somebody fills the lists with long URLs. */
const KEPT_PAGES = 100;
const KEPT_FILTERED = 50;
const KEPT_BYTES = 32_000_000;
const SHORT = { 'cache-control': 'public, max-age=60' };
const NO_SUCH_PAGE: Problem = { code: 'not_found', detail: 'The listing has no such page.' };
const BUSY: Problem = {
  code: 'overloaded',
  detail: 'Too many other filters are being counted; try again in a moment.',
  retryAfterSeconds: 1,
};

async function find(
  run: CrawlRun | null,
  { form, page, filter }: WantedPage,
  runs: PublishedRuns,
  counts: ViewCounts,
): Promise<CrawlPage | 'busy' | null> {
  if (form === 'receipts') return listCrawl(run, { listing: 'all', page }, runs);
  if (isEverySkip(filter)) return listCrawl(run, { listing: 'skip', page }, runs);
  return listSkips(run, { filter, page }, { runs, countOf: counts.of });
}

async function render(found: CrawlPage, form: CrawlForm, links: Links): Promise<Rendered> {
  const headers = { ...SHORT, link: pageLinks(found, LISTING_OF[form](links)).join(', ') };
  switch (form) {
    case 'receipts':
      return renderedJson(receiptsSummaryJson(found, links), headers);
    case 'skips':
      return renderedJson(skipsSummaryJson(found, links), headers);
    case 'skips_csv':
      return rendered(skipsCsv(found.receipts, links), CSV_TYPE, { ...headers, ...CSV_NAME });
    case 'skips_html':
      return rendered(await skipsPage(found, links), HTML_TYPE, {
        ...HTML_HEADERS,
        ...headers,
        ...(found.view === null ? {} : NO_INDEX),
        link: `${headers.link}, <${links.skipsAtom}>; rel="alternate"; type="application/atom+xml"`,
      });
  }
}

/** There are more filters than a search engine should ever try. */
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
