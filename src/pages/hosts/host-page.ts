import { html } from 'hono/html';
import { PART_PAGE } from '../../core/limits.ts';
import { formatUsd } from '../../core/money/micro-usd.ts';
import type { EndpointChange } from '../../flows/read/hosts/endpoint-changes.ts';
import type { HostView } from '../../flows/read/hosts/read-host.ts';
import type { Links } from '../../wire/responses/links.ts';
import { breakable } from '../frame/breakable.ts';
import { crumbs } from '../frame/crumbs.ts';
import { type Html, layout } from '../frame/layout.ts';
import { NO_CRAWL } from '../frame/missing-data.ts';
import { grouped } from '../frame/numbers.ts';
import { shownTime } from '../frame/shown-time.ts';
import { untrustedText } from '../frame/untrusted-text.ts';
import { countSentence, notShown } from './count-words.ts';
import { endpointTable, payeeLink, wholePayee } from './endpoint-table.ts';
import { historyAndServices } from './history-and-services.ts';
import { dayOf } from './run-columns.ts';

/** What is known about one host. */
export async function hostPage(view: HostView, links: Links): Promise<string> {
  const { host, isOptedOut } = view;
  const name = untrustedText(host);
  const path = `/hosts/${encodeURIComponent(host)}`;
  const body = html`${crumbs([{ href: '/v1/skips', name: 'Skips' }])}
<h1>${breakable(host)}</h1>
${isOptedOut ? OPTED_OUT : known(view, links)}`;
  return String(
    await layout({
      title: name,
      description: `What the crawl and the catalog of Assay say about the x402 endpoints at ${name}.`,
      address: `${links.base}${path}`,
      json: `/v1${path}`,
      scripted: true,
      body,
    }),
  );
}

const OPTED_OUT = html`<p class="lead">The operator of this host has opted out of checks. Nothing is shown about it.</p>`;

function known(view: HostView, links: Links): Html {
  const { host, count, endpoints, corrected, payees } = view;
  const skips = `/v1/skips?host=${encodeURIComponent(host)}`;
  return html`<p class="lead">${sentence(view)}</p>
${
  count === null
    ? ''
    : html`<h2>Endpoints</h2>
${endpointTable(`Sorted by URL${count.endpoints > PART_PAGE.endpoints ? `, the first ${PART_PAGE.endpoints}` : ''}`, endpoints, corrected, links)}
${notShown(count, endpoints.length)}
<p><a class="more" href="${skips}">All skips at this host</a></p>`
}
${
  payees.length === 0
    ? ''
    : html`<h2>Payees</h2>
<table class="rows shares"><caption>Payees that the live 402s name</caption>
<thead><tr><th scope="col">Payee</th><th scope="col" class="number">Endpoints</th></tr></thead>
<tbody>
${payees.map(
  (
    share,
  ) => html`<tr><th scope="row">${wholePayee(share.name)}</th><td class="number" data-label="Endpoints">${grouped(share.endpoints)}</td></tr>
`,
)}</tbody></table>`
}
${count === null ? '' : changesList(view, links)}
${historyAndServices(view, 'Services at this host that we pay for and grade')}
<p class="quiet">Also in <a href="/v1/hosts/${encodeURIComponent(host)}">JSON</a>. Is this your host? <a class="more" href="/sellers">For sellers</a></p>`;
}

function sentence({ run, count }: HostView): Html | string {
  if (run === null) return NO_CRAWL;
  return count === null
    ? `The latest crawl, of ${dayOf(run)}, has no endpoint at this host.`
    : countSentence(count);
}

function changesList({ changes, endpoints, history }: HostView, links: Links): Html {
  const whose =
    endpoints.length > PART_PAGE.followed ? `the first ${PART_PAGE.followed} endpoints` : 'the endpoints';
  const span = `of ${whose} in their last ${PART_PAGE.runs} crawls`;
  return html`<h2>Changes</h2>
${
  changes.length === 0
    ? html`<p class="none">${history.length < 2 ? ONE_CRAWL : `No change of price or payee ${span}.`}</p>`
    : html`<p class="quiet">Changes of price and payee ${span}, newest first.</p>
<ul class="changes">
${changes.map((change) => changeItem(change, links))}</ul>`
}`;
}

const ONE_CRAWL = 'This host is in one crawl so far, so there is nothing to compare.';

const URL_SHOWN_CHARS = 200;

function changeItem(change: EndpointChange, links: Links): Html {
  const { receipt } = change;
  const values =
    change.what === 'price'
      ? html`price <span class="price">$${formatUsd(change.before)}</span> → <span class="price">$${formatUsd(change.after)}</span>`
      : html`payee ${payeeLink(change.before)} → ${payeeLink(change.after)}`;
  return html`<li>${shownTime(receipt.checkedAt)}: ${values}<br><a href="${links.receipt(receipt.id)}">${receipt.method} ${breakable(receipt.url, URL_SHOWN_CHARS)}</a></li>
`;
}
