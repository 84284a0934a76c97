import { html } from 'hono/html';
import type { CrawlRun } from '../../core/receipt/crawl-run.ts';
import type { CrawlPage } from '../../flows/read/list-crawl.ts';
import { NO_NOTES, type SellerNotes } from '../../flows/seller/seller-notes.ts';
import { viewUrl } from '../../wire/requests/skips-request.ts';
import type { Links } from '../../wire/responses/links.ts';
import { type Html, layout } from '../frame/layout.ts';
import { NO_CRAWL } from '../frame/missing-data.ts';
import { grouped } from '../frame/numbers.ts';
import { shownTime } from '../frame/shown-time.ts';
import { runCharts } from './skips-charts.ts';
import { filterForm, filterOf, viewWords } from './skips-filters.ts';
import { pager, skipRows } from './skips-rows.ts';

/** The page of endpoints to skip. Every value goes through the template, which escapes it. */
export async function skipsPage(
  found: CrawlPage,
  links: Links,
  notes: SellerNotes = NO_NOTES,
): Promise<string> {
  const { run } = found;
  const body = html`<h1>Endpoints to skip</h1>
<p>Listed x402 endpoints whose live 402 disagrees with their listing, or that cannot be checked. Unpaid requests only;
nothing was paid. Is one of them yours? <a href="/sellers">For sellers</a>.</p>
${run === null ? html`<p>${NO_CRAWL} Until then, <a href="/">check an endpoint</a> yourself.</p>` : runOf(run, found, links, notes)}`;
  const feed = { title: 'New endpoints to skip', href: links.skipsAtom };
  return String(await layout({ title: 'Endpoints to skip', body, feed }));
}

function runOf(run: CrawlRun, found: CrawlPage, links: Links, notes: SellerNotes): Html {
  const { view, page } = found;
  // Charts only on the unfiltered first page.
  const charts = view !== null || page > 1 ? '' : runCharts(run, links);
  return html`${totals(run)}
${charts}
<h2>The skips</h2>
${filterForm(run, filterOf(view), links)}
<p class="found"><strong>${viewWords(run, view)}</strong> ${forms(found, links)}</p>
${found.receipts.length === 0 ? html`<p>No matching skips.</p>` : list(found, links, notes)}`;
}

type Tile = readonly [name: string, count: number, look: 'plain' | 'skip' | 'pay' | 'recheck'];

function totals({ crawledAt, previousRun, summary }: CrawlRun): Html {
  const { endpointsCovered, newThisWeek, verdicts, needsInput, facets } = summary;
  const newSkips: readonly Tile[] = facets === null ? [] : [['New skips', facets.newSkips, 'plain']];
  const tiles: readonly Tile[] = [
    ['Endpoints covered', endpointsCovered, 'plain'],
    ['Skip', verdicts.skip - needsInput, 'skip'],
    ['Pay', verdicts.pay, 'pay'],
    ['Recheck', verdicts.recheck, 'recheck'],
    ['Need input first', needsInput, 'plain'],
    ['New this week', newThisWeek, 'plain'],
    ...newSkips,
  ];
  return html`<dl class="tiles">
${tiles.map(([name, count, look]) => html`<div class="tile ${look}"><dt>${name}</dt> <dd>${grouped(count)}</dd></div>\n`)}</dl>
<p class="quiet">Crawled ${shownTime(crawledAt)}${
    previousRun === null ? ', the first run.' : html`; previous run: ${shownTime(previousRun)}.`
  }</p>`;
}

/** The same view as JSON, CSV and feed. */
function forms({ view, page }: CrawlPage, { skipsJson, skipsCsv, skipsAtom }: Links): Html {
  const filter = view?.filter ?? null;
  const here = page === 1 ? null : page;
  return html`<span class="forms"><a href="${viewUrl(skipsJson, filter, here)}">JSON</a>
<a href="${viewUrl(skipsCsv, filter, here)}">CSV</a> <a href="${skipsAtom}">Atom feed of new skips</a></span>`;
}

function list(found: CrawlPage, links: Links, notes: SellerNotes): Html {
  return html`${pager(found, links, 'above')}
${skipRows(found, links, notes)}
${pager(found, links, 'below')}`;
}
