import type { CrawlRun } from '../core/receipt/crawl-run.ts';
import { type CrawlPage, listCrawl } from '../flows/list-crawl.ts';
import { remembered } from '../flows/remembered.ts';
import { skipsPage } from '../pages/skips-page.ts';
import type { PublishedRuns } from '../ports/crawl-runs.ts';
import { pageUrl, receiptsSummaryJson, skipsSummaryJson } from '../wire/crawl-summary-json.ts';
import type { Links } from '../wire/links.ts';
import {
  type Answer,
  answerProblem,
  answerRendered,
  type Headers,
  type Rendered,
  rendered,
  renderedJson,
} from './answer.ts';
import { boundedCache } from './bounded-cache.ts';
import type { Exchange } from './exchange.ts';
import { HTML_HEADERS, HTML_TYPE } from './html-headers.ts';

/** The three forms in which a page of a crawl is shown. */
export type CrawlView = 'skips' | 'skips_html' | 'receipts';

export interface CrawlPages {
  answer(exchange: Exchange, view: CrawlView, page: number): Promise<Answer>;
}

/** A page is rendered once per published run and public address; a run never changes. */
export function createCrawlPages(runs: PublishedRuns, now: () => Date): CrawlPages {
  const latest = remembered(() => runs.latest(), LATEST_FOR_MS, now);
  const pages = boundedCache<Rendered>(KEPT_PAGES);
  return {
    async answer(exchange, view, page) {
      const run = await latest();
      const key = [run?.id, exchange.links.base, view, page].join(' ');
      const known = pages.get(key);
      if (known !== undefined) return answerRendered(exchange, known);
      const fresh = await render(run, view, page, exchange.links, runs);
      if (fresh === null) {
        return answerProblem(exchange, { code: 'not_found', detail: 'The listing has no such page.' });
      }
      if (run !== null) pages.set(key, fresh);
      return answerRendered(exchange, fresh);
    },
  };
}

/** A newly published run shows after at most this long. */
const LATEST_FOR_MS = 1_000;
/** At about 250 kB each. */
const KEPT_PAGES = 100;
const SHORT = { 'cache-control': 'public, max-age=60' };

async function render(
  run: CrawlRun | null,
  view: CrawlView,
  page: number,
  links: Links,
  runs: PublishedRuns,
): Promise<Rendered | null> {
  const listing = view === 'receipts' ? 'all' : 'skip';
  const found = await listCrawl(run, { listing, page }, runs);
  if (found === null) return null;
  const headers = { ...SHORT, ...pageLinks(found, LISTING_OF[view](links)) };
  if (view === 'receipts') return renderedJson(receiptsSummaryJson(found, links), headers);
  if (view === 'skips') return renderedJson(skipsSummaryJson(found, links), headers);
  return rendered(await skipsPage(found, links), HTML_TYPE, { ...HTML_HEADERS, ...headers });
}

const LISTING_OF: Readonly<Record<CrawlView, (links: Links) => string>> = {
  skips: ({ skipsJson }) => skipsJson,
  skips_html: ({ skips }) => skips,
  receipts: ({ receipts }) => receipts,
};

function pageLinks({ page, pages }: CrawlPage, listing: string): Headers {
  const relations: [string, number][] = [
    ['first', 1],
    ['prev', page - 1],
    ['next', page + 1],
    ['last', pages],
  ];
  const link = relations
    .filter(([, target]) => target >= 1 && target <= pages)
    .map(([relation, target]) => `<${pageUrl(listing, target)}>; rel="${relation}"`);
  return { link: link.join(', ') };
}
