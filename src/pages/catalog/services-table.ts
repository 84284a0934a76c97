import { html } from 'hono/html';
import {
  type CatalogSort,
  type CatalogView,
  type SortDirection,
  USUAL_DIRECTIONS,
} from '../../core/catalog/browse-ranking.ts';
import type { FactsOnlyService, RankedService, ServiceFacts } from '../../core/catalog/rank-services.ts';
import { formatUsd } from '../../core/money/micro-usd.ts';
import { catalogViewPath } from '../../wire/requests/catalog-request.ts';
import type { Html } from '../frame/layout.ts';
import { age } from '../frame/shown-time.ts';
import { untrustedText } from '../frame/untrusted-text.ts';
import { callStrip, passedOf, percents } from './call-marks.ts';

export interface TableParts {
  readonly caption: string;
  readonly view: CatalogView;
  readonly now: Date;
}

/** Services with a rank. A header is a link to the same view in its order, and then in the opposite one. */
export function servicesTable(services: readonly RankedService[], { caption, view, now }: TableParts): Html {
  return html`<table class="rows services">
<caption>${caption}</caption>
<thead><tr>${header('Service', 'name', view)}${header('Price', 'price', view, 'number')}${header('Right answers', 'passed', view)}<th scope="col" class="number">Delivered</th>${header('Last paid call', 'last', view)}<th scope="col">Newest calls</th></tr></thead>
<tbody>
${services.map((service) => row(service, view, now))}</tbody>
</table>`;
}

/** Services outside the ranking, with the reason and without rates. */
export function unrankedTable(
  services: readonly FactsOnlyService[],
  { caption, view, now }: TableParts,
): Html {
  return html`<table class="rows services">
<caption>${caption}</caption>
<thead><tr><th scope="col">Service</th><th scope="col" class="number">Price</th><th scope="col">Reason</th><th scope="col">Last paid call</th><th scope="col">Newest calls</th></tr></thead>
<tbody>
${services.map(
  (facts) => html`<tr>${named(facts, view)}${priced(facts)}
<td data-label="Reason"><bdi>${untrustedText(facts.factsOnlyReason)}</bdi></td>${lastCalls(facts, now)}</tr>
`,
)}</tbody>
</table>`;
}

function header(words: string, sort: CatalogSort, view: CatalogView, look?: 'number'): Html {
  const usual = USUAL_DIRECTIONS[sort];
  const current = view.sort === sort ? (view.dir ?? usual) : null;
  const next = current === null ? null : opposite(current);
  const path = catalogViewPath({ ...view, sort, dir: next });
  const sorted = current === null ? '' : html` aria-sort="${current === 'asc' ? 'ascending' : 'descending'}"`;
  return html`<th scope="col"${look === undefined ? '' : html` class="${look}"`}${sorted}><a href="${path}">${words}${current === null ? '' : ARROWS[current]}</a></th>`;
}

function opposite(direction: SortDirection): SortDirection {
  return direction === 'asc' ? 'desc' : 'asc';
}

const ARROWS: Readonly<Record<SortDirection, Html>> = {
  asc: html`<svg class="arrow" viewBox="0 0 10 10" aria-hidden="true" focusable="false"><path d="M5 2 9 8H1z"/></svg>`,
  desc: html`<svg class="arrow" viewBox="0 0 10 10" aria-hidden="true" focusable="false"><path d="M5 8 1 2h8z"/></svg>`,
};

function row(service: RankedService, view: CatalogView, now: Date): Html {
  const { passedCalls, gradedCalls, deliveredRate } = service;
  const delivered = deliveredRate === null ? '' : `${percents(deliveredRate)}\u00a0%`;
  return html`<tr>${named(service, view)}${priced(service)}
<td data-label="Right answers">${passedOf(passedCalls, gradedCalls)}</td><td class="number" data-label="Delivered">${delivered}</td>${lastCalls(service, now)}</tr>
`;
}

const TASKS_SHOWN = 3;

/** A page of one task does not repeat its name in every row. */
function named({ service }: ServiceFacts, view: CatalogView): Html {
  const { id, name, provider, tasks } = service;
  const others = tasks.filter((task) => task !== view.task);
  const more = others.length - TASKS_SHOWN;
  return html`<th scope="row"><div class="who"><div><a href="/v1/services/${id}"><bdi>${untrustedText(name)}</bdi></a> <span class="by"><bdi>${untrustedText(provider)}</bdi></span></div>
<div class="for">${others.slice(0, TASKS_SHOWN).map((task) => html`<a class="chip" href="/catalog/${task}">${task}</a> `)}${more > 0 ? html`<span class="none">and ${more} more</span>` : ''}</div></div></th>`;
}

function priced({ service }: ServiceFacts): Html {
  return html`<td class="number" data-label="Price">$${formatUsd(service.price)}</td>`;
}

function lastCalls({ newestCallAt, stale, calls }: ServiceFacts, now: Date): Html {
  return html`<td data-label="Last paid call">${
    newestCallAt === null
      ? html`<span class="none">none yet</span>`
      : html`<time datetime="${newestCallAt.toISOString()}">${age(newestCallAt, now)}</time>${stale ? html` <span class="chip">stale</span>` : ''}`
  }</td><td data-label="Newest calls">${callStrip(calls)}</td>`;
}
