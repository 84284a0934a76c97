import { html } from 'hono/html';
import type { CrawlRun } from '../../core/receipt/crawl-run.ts';
import { mismatchesIn } from '../../core/receipt/run-trend.ts';
import type { SkipFilter } from '../../core/receipt/skip-filter.ts';
import type { CrawlPage } from '../../flows/read/list-crawl.ts';
import type { SkipsOverview } from '../../flows/read/skips-overview.ts';
import type { SellerNotes } from '../../flows/seller/seller-notes.ts';
import { viewUrl } from '../../wire/requests/skips-request.ts';
import type { Links } from '../../wire/responses/links.ts';
import { cardOfSkips } from '../cards/card-links.ts';
import { type Html, layout } from '../frame/layout.ts';
import { NO_CRAWL } from '../frame/missing-data.ts';
import { grouped, percent } from '../frame/numbers.ts';
import { shownTime } from '../frame/shown-time.ts';
import { verdictIcon } from '../frame/verdict-mark.ts';
import { gravestSkips } from './gravest-skips.ts';
import { runCharts } from './skips-charts.ts';
import { filterForm, filterOf, viewWords } from './skips-filters.ts';
import { pager, skipRows } from './skips-rows.ts';

export interface SkipsPageParts {
  readonly notes: SellerNotes;
  /** Null on filtered and later pages. */
  readonly overview: SkipsOverview | null;
}

/** The page of endpoints to skip. Every value goes through the template, which escapes it. */
export async function skipsPage(
  found: CrawlPage,
  links: Links,
  { notes, overview }: SkipsPageParts,
): Promise<string> {
  const { run } = found;
  const body = html`<h1>Endpoints to skip</h1>
<p class="lead">${run === null ? WHAT : inNumbers(run)}</p>
<p>Unpaid requests only; nothing was paid. <a href="/method">How a verdict is made</a>. Is one of them yours? <a href="/sellers">For sellers</a>.</p>
${run === null ? html`<p>${NO_CRAWL} Until then, <a href="/">check an endpoint</a> yourself.</p>` : runOf(run, found, links, { notes, overview })}`;
  return String(
    await layout({
      title: found.page === 1 ? 'Endpoints to skip' : `Endpoints to skip, page ${grouped(found.page)}`,
      description:
        run === null ? WHAT : `${inNumbers(run)} Crawled ${run.crawledAt.toISOString().slice(0, 10)}.`,
      address: viewUrl(links.skips, ...viewOf(found)),
      json: viewUrl(links.skipsJson, ...viewOf(found)),
      card: cardOfSkips(links, run),
      feed: { title: 'New endpoints to skip', href: links.skipsAtom },
      body,
    }),
  );
}

const WHAT =
  'Listed x402 endpoints that ask for other terms than listed, cannot be paid, or are not an endpoint.';

/** The sentence that people cite. */
function inNumbers({ summary: { endpointsCovered, verdicts, needsInput, facets } }: CrawlRun): string {
  const skips = verdicts.skip - needsInput;
  const share = `${grouped(skips)} of ${grouped(endpointsCovered)} listed x402 endpoints (${percent(skips, endpointsCovered)}) have the verdict skip`;
  if (facets === null) return `${share}.`;
  const differs = mismatchesIn(facets.reasons);
  return `${share}; ${grouped(differs)} of them ask${differs === 1 ? 's' : ''} for other terms than listed.`;
}

function runOf(run: CrawlRun, found: CrawlPage, links: Links, { notes, overview }: SkipsPageParts): Html {
  const { view } = found;
  return html`${totals(run)}
${overview === null ? '' : html`${gravestSkips(overview.gravest, links)}\n${runCharts(run, overview.trend, links)}`}
<h2>The skips</h2>
${filterForm(run, filterOf(view), links)}
<p class="found"><strong>${viewWords(run, view)}</strong> ${forms(found, links)}</p>
${found.receipts.length === 0 ? html`<p>No matching skips.</p>` : list(found, links, notes)}`;
}

type Tile = readonly [name: string, count: number, look: 'plain' | 'skip' | 'pay' | 'recheck'];

function totals({ crawledAt, previousRun, summary }: CrawlRun): Html {
  const { endpointsCovered, newThisWeek, verdicts, needsInput, facets } = summary;
  const newSkips: readonly Tile[] = facets === null ? [] : [['New skips', facets.newSkips, 'plain']];
  // In the first run everything is new, which says nothing.
  const news: readonly Tile[] =
    previousRun === null ? [] : [['New this week', newThisWeek, 'plain'], ...newSkips];
  const tiles: readonly Tile[] = [
    ['Endpoints covered', endpointsCovered, 'plain'],
    ['Skip', verdicts.skip - needsInput, 'skip'],
    ['Pay', verdicts.pay, 'pay'],
    ['Recheck', verdicts.recheck, 'recheck'],
    ['Need input first', needsInput, 'plain'],
    ...news,
  ];
  return html`<dl class="tiles">
${tiles.map(([name, count, look]) => html`<div class="tile ${look}"><dt>${look === 'plain' ? '' : verdictIcon(look)} ${name}</dt> <dd>${grouped(count)}</dd></div>\n`)}</dl>
<p class="quiet">Crawled ${shownTime(crawledAt)}${
    previousRun === null
      ? '. This is the first crawl, so there is none to compare it with.'
      : html`; previous run: ${shownTime(previousRun)}.`
  }</p>`;
}

/** The filter and the page in the address of this view. */
function viewOf({ view, page }: CrawlPage): [SkipFilter | null, number | null] {
  return [view?.filter ?? null, page === 1 ? null : page];
}

/** The same view as JSON, CSV and feed. */
function forms(found: CrawlPage, { skipsJson, skipsCsv, skipsAtom }: Links): Html {
  return html`<span class="forms"><a href="${viewUrl(skipsJson, ...viewOf(found))}">JSON</a>
<a href="${viewUrl(skipsCsv, ...viewOf(found))}">CSV</a> <a href="${skipsAtom}">Atom feed of new skips</a></span>`;
}

function list(found: CrawlPage, links: Links, notes: SellerNotes): Html {
  return html`${pager(found, links, 'above')}
${skipRows(found, links, notes)}
${pager(found, links, 'below')}`;
}
