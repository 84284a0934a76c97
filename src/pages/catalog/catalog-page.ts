import { html } from 'hono/html';
import {
  type BrowsedRanking,
  type CatalogView,
  USUAL_DIRECTIONS,
} from '../../core/catalog/browse-ranking.ts';
import { type CatalogTotals, catalogTotals } from '../../core/catalog/catalog-totals.ts';
import { LOOKUP_RECEIPTS } from '../../core/limits.ts';
import { formatUsd } from '../../core/money/micro-usd.ts';
import { catalogViewPath } from '../../wire/requests/catalog-request.ts';
import type { Links } from '../../wire/responses/links.ts';
import { crumbs } from '../frame/crumbs.ts';
import { type Html, layout } from '../frame/layout.ts';
import { NO_PAID_CALLS } from '../frame/missing-data.ts';
import { grouped, percent } from '../frame/numbers.ts';
import { catalogFilters, ORDER_WORDS, viewWords } from './catalog-filters.ts';
import { servicesTable, unrankedTable } from './services-table.ts';

export interface CatalogPageParts {
  readonly view: CatalogView;
  readonly found: BrowsedRanking;
  /** All task names with the ids of their services. */
  readonly tasks: ReadonlyMap<string, readonly string[]>;
  readonly links: Links;
  readonly now: Date;
}

/** All services, or those of a task; the same table for both. */
export async function catalogPage(parts: CatalogPageParts): Promise<string> {
  const { view, found, tasks, links } = parts;
  const { task } = view;
  const title = task === null ? 'Catalog' : `Services for ${task}`;
  const totals = catalogTotals([...found.ranked, ...found.factsOnly]);
  const body = html`${task === null ? '' : crumbs([{ href: '/catalog', name: 'Catalog' }])}<h1>${title}</h1>
<p class="lead">${leadWords(found, totals)} Nobody can pay to change anything here.</p>
${totals.paid === 0 ? '' : tiles(totals)}
${found.total === 0 ? html`<p>The catalog is empty.</p>` : listed(parts)}
${task === null && tasks.size > 0 ? taskList(tasks) : ''}
<p class="quiet">As JSON: <a href="/v1/tasks">/v1/tasks</a> lists the task names, <code>/v1/lookup?task=</code> the services of a task with their paid calls, <a href="/v1/services">/v1/services</a> the listings.</p>`;
  const address = `${links.base}${catalogViewPath(view)}`;
  return String(await layout({ title, description: description(task, totals), address, body }));
}

function leadWords({ total, isAnyPaid }: BrowsedRanking, { services, paid }: CatalogTotals): Html | string {
  if (!isAnyPaid) return total === 0 ? '' : html`Known x402 services. ${NO_PAID_CALLS}`;
  const none = services > 0 && paid === 0 ? ' None of these has a paid call yet.' : '';
  return `Known x402 services. We call them with our own money and grade the responses.${none}`;
}

function tiles({ paid, graded, passed, charged }: CatalogTotals): Html {
  const shown: readonly (readonly [string, string])[] = [
    ['Services paid', grouped(paid)],
    ['Answers graded', grouped(graded)],
    ['Right answers', percent(passed, graded)],
    ['Spent', `$${formatUsd(charged)}`],
  ];
  return html`<dl class="tiles">
${shown.map(([name, value]) => html`<div class="tile"><dt>${name}</dt> <dd>${value}</dd></div>\n`)}</dl>
<p class="quiet">Over the newest ${LOOKUP_RECEIPTS.max} paid calls of each service.</p>`;
}

function listed({ view, found, tasks, now }: CatalogPageParts): Html {
  const { ranked, factsOnly, matched } = found;
  const cut = matched - ranked.length - factsOnly.length;
  const words = viewWords(view, matched);
  return html`${catalogFilters(view, tasks)}
<p class="found" id="found"><strong>${words}</strong>${cut > 0 ? ` The first ${grouped(matched - cut)} are shown; a filter shows the others.` : ''}</p>
${matched === 0 ? html`<p>No service matches.</p>` : ''}
${ranked.length === 0 ? '' : servicesTable(ranked, { caption: `${grouped(ranked.length)} sorted by ${orderWords(view)}`, view, now })}
${ranked.length === 0 ? '' : LEGEND}
${factsOnly.length === 0 ? '' : unranked(unrankedTable(factsOnly, { caption: `${grouped(factsOnly.length)} without a rank, by id`, view, now }))}`;
}

function orderWords({ sort, dir }: CatalogView): string {
  const reversed = dir !== null && dir !== USUAL_DIRECTIONS[sort];
  return `${ORDER_WORDS[sort][1]}${reversed ? ', reversed' : ''}`;
}

const LEGEND = html`<p class="quiet">Right answers: right of graded, with the 95 % interval of the rate (Wilson); with few calls the bar is wide. Newest calls: the newest is last; a dot is a right answer, a cross a
wrong one, a ring one that was not graded. Stale: the last paid call is over 36 hours old. Rank depends on pass rate and price only; a seller cannot pay for a position.
<a href="/method#paid">How answers are graded</a></p>`;

function unranked(table: Html): Html {
  return html`<h2>Not ranked</h2>
<p>Broken on the seller's side: facts only, no rank.</p>
${table}`;
}

function taskList(tasks: ReadonlyMap<string, readonly string[]>): Html {
  return html`<h2>Tasks</h2>
<ul class="tasks">
${[...tasks].map(([task, ids]) => html`<li><a href="/catalog/${task}">${task}</a> ${ids.length}<span class="unseen"> ${ids.length === 1 ? 'service' : 'services'}</span></li>\n`)}</ul>`;
}

function description(task: string | null, { services, paid, graded, passed }: CatalogTotals): string {
  const about =
    task === null
      ? `${grouped(services)} known x402 services by task`
      : `${grouped(services)} known x402 services for ${task}`;
  if (paid === 0) return `${about}.`;
  return `${about}; ${grouped(paid)} called with our own money, ${grouped(passed)} of ${grouped(graded)} graded answers right.`;
}
