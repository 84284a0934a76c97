import { html } from 'hono/html';
import { PART_PAGE } from '../../core/limits.ts';
import { isAddress } from '../../core/x402/address.ts';
import { addressPage } from '../../core/x402/explorer.ts';
import { MAINNETS, type Mainnet, mainnetOf } from '../../core/x402/networks.ts';
import type { PayeeView } from '../../flows/read/hosts/read-payee.ts';
import type { Links } from '../../wire/responses/links.ts';
import { breakable, hashText } from '../frame/breakable.ts';
import { copyButton } from '../frame/copy-button.ts';
import { crumbs } from '../frame/crumbs.ts';
import { type Html, layout } from '../frame/layout.ts';
import { linked } from '../frame/linked.ts';
import { NO_CRAWL } from '../frame/missing-data.ts';
import { networkName } from '../frame/network-name.ts';
import { grouped } from '../frame/numbers.ts';
import { hostHref } from '../frame/page-hrefs.ts';
import { countSentence, notShown } from './count-words.ts';
import { endpointTable } from './endpoint-table.ts';
import { historyAndServices } from './history-and-services.ts';
import { dayOf } from './run-columns.ts';

/** What is known about one payee. */
export async function payeePage(view: PayeeView, links: Links): Promise<string> {
  const { address, count, endpoints, corrected } = view;
  const path = `/payees/${encodeURIComponent(address)}`;
  const body = html`${crumbs([{ href: '/v1/skips', name: 'Skips' }])}
<h1>Payee</h1>
<p class="whole-address"><code>${hashText(address)}</code> ${copyButton(address, 'the address')}</p>
<p class="lead">${sentence(view)}</p>
<p>${explorers(view)}</p>
${warning(view, links)}
${
  count === null
    ? ''
    : html`<h2>Endpoints</h2>
${endpointTable(`Sorted by URL${count.endpoints > PART_PAGE.endpoints ? `, the first ${PART_PAGE.endpoints}` : ''}`, endpoints, corrected, links)}
${notShown(count, Math.min(count.endpoints, PART_PAGE.endpoints))}`
}
${hosts(view)}
${historyAndServices(view, 'Services listed with this payee that we pay for and grade')}
<p class="quiet">Also in <a href="/v1${path}">JSON</a>. Is this your address? <a class="more" href="/sellers">For sellers</a></p>`;
  return String(
    await layout({
      title: `Payee ${address}`,
      description: `The x402 endpoints that ask to pay ${address}, and those listed with it that ask to pay another address.`,
      address: `${links.base}${path}`,
      json: `/v1${path}`,
      scripted: true,
      body,
    }),
  );
}

function sentence({ run, count, replacedCount }: PayeeView): Html | string {
  if (run === null) return NO_CRAWL;
  if (count !== null) return html`Payee of ${countSentence(count)}`;
  return replacedCount > 0
    ? `No endpoint in the crawl of ${dayOf(run)} asks to pay this address, although lists name it.`
    : `No endpoint in the crawl of ${dayOf(run)} asks to pay this address.`;
}

/** On the networks on which it was seen; without one, on the first that has such addresses. */
function explorers({ address, endpoints }: PayeeView): Html[] {
  const seen = new Set(endpoints.map(({ network }) => mainnetOf(network)));
  const known = [...seen].filter((mainnet) => mainnet !== null);
  const fallback = MAINNETS.find(({ addresses }) => isAddress(address, addresses));
  const networks = known.length === 0 && fallback !== undefined ? [fallback] : known;
  return networks
    .filter(({ addresses }) => isAddress(address, addresses))
    .flatMap((mainnet) => explorer(mainnet, address));
}

function explorer({ network }: Mainnet, address: string): Html[] {
  const href = addressPage(network, address);
  return href === null
    ? []
    : [
        html`<a class="more" href="${href}" rel="noreferrer">On the block explorer of ${networkName(network)}</a> `,
      ];
}

/** The case that matters most: a list names this payee, and the live 402 another one. */
function warning({ replaced, replacedCount, corrected }: PayeeView, links: Links): Html | string {
  if (replaced.length === 0) return '';
  const subject = replacedCount === 1 ? 'One endpoint is' : `${grouped(replacedCount)} endpoints are`;
  const left = replacedCount - replaced.length;
  return html`<section class="panel warning"><h2>Listed with this payee, asks to pay another</h2>
<p>${subject} listed with this payee, but ${replacedCount === 1 ? 'its live 402 asks' : 'their live 402s ask'} to pay another address. A payment would go there.</p>
${endpointTable('Sorted by URL', replaced, corrected, links)}
${left > 0 ? html`<p>${grouped(left)} more are not in this table.</p>` : ''}</section>`;
}

function hosts({ hosts: shares }: PayeeView): Html | string {
  if (shares.length === 0) return '';
  return html`<h2>Hosts</h2>
<table class="rows shares"><caption>Hosts whose endpoints ask to pay this address</caption>
<thead><tr><th scope="col">Host</th><th scope="col" class="number">Endpoints</th></tr></thead>
<tbody>
${shares.map(
  ({
    name,
    endpoints,
  }) => html`<tr><th scope="row">${hostLink(name)}</th><td class="number" data-label="Endpoints">${grouped(endpoints)}</td></tr>
`,
)}</tbody></table>`;
}

function hostLink(host: string): Html {
  return linked(hostHref(host), breakable(host));
}
