import { html } from 'hono/html';
import { formatUsd, type MicroUsd } from '../../core/money/micro-usd.ts';
import type { CrawlReceipt } from '../../core/receipt/crawl-receipt.ts';
import { isSetAside, SKIP_WORDS } from '../../core/verdict/skip-codes.ts';
import { isSameAddress } from '../../core/x402/address.ts';
import type { Links } from '../../wire/responses/links.ts';
import { breakable, breakableWords, hashText } from '../frame/breakable.ts';
import type { Html } from '../frame/layout.ts';
import { linked } from '../frame/linked.ts';
import { payeeHref } from '../frame/page-hrefs.ts';
import { untrustedText } from '../frame/untrusted-text.ts';
import { type Tone, verdictMark } from '../frame/verdict-mark.ts';
import { shortAddress } from '../frame/wallet-address.ts';

const URL_SHOWN_CHARS = 200;
const REASON_SHOWN_CHARS = 300;

/** Endpoints of a crawl. A row leads to its receipt and never to the endpoint itself. */
export function endpointTable(
  caption: string,
  receipts: readonly CrawlReceipt[],
  corrected: ReadonlySet<string>,
  links: Links,
): Html {
  return html`<table class="rows endpoints">
<caption>${caption}</caption>
<thead><tr><th scope="col">Endpoint</th><th scope="col">Verdict</th><th scope="col" class="number">Listed</th>
<th scope="col" class="number">Asked</th><th scope="col">Payee</th><th scope="col">Checked</th></tr></thead>
<tbody>
${receipts.map((receipt) => row(receipt, corrected.has(receipt.id), links))}</tbody>
</table>`;
}

function row(receipt: CrawlReceipt, isCorrected: boolean, links: Links): Html {
  const { id, url, method, claimedPrice, quotedPrice, checkedAt } = receipt;
  const time = checkedAt.toISOString();
  return html`<tr id="${id}"><th scope="row"><a href="${links.receipt(id)}">${method} ${breakable(url, URL_SHOWN_CHARS)}</a></th>
<td>${decision(receipt, isCorrected)}</td><td class="number" data-label="Listed">${price(claimedPrice)}</td><td class="number" data-label="Asked">${price(quotedPrice)}</td>
<td data-label="Payee">${payees(receipt)}</td><td data-label="Checked"><time datetime="${time}">${time.slice(0, 10)}</time></td></tr>
`;
}

/** A verdict that was wrong is not said again: the receipt has the right one. */
function decision(receipt: CrawlReceipt, isCorrected: boolean): Html {
  if (isCorrected) return html`<span class="quiet">was ${receipt.verdict}, corrected</span>`;
  return html`${verdictMark(toneOf(receipt))} <span class="quiet">${reasonOf(receipt)}</span>`;
}

function toneOf({ verdict, code }: CrawlReceipt): Tone {
  return isSetAside(code) ? 'aside' : verdict;
}

/** The columns beside it have the prices and the payees. */
function reasonOf({ code, reason }: CrawlReceipt): Html | string {
  if (code === 'price_mismatch' || code === 'pay_to_mismatch') return SKIP_WORDS[code];
  return breakableWords(reason, REASON_SHOWN_CHARS);
}

/** Both in full where they differ, because a look-alike can share both ends of an address. */
function payees({ payTo, listedPayTo }: CrawlReceipt): Html | string {
  if (payTo === null) return '';
  const isListed = listedPayTo === null || isSameAddress(payTo, listedPayTo);
  return isListed
    ? payeeLink(payTo)
    : html`${wholePayee(payTo)} <span class="listed">listed: ${wholePayee(listedPayTo)}</span>`;
}

/** An address in full that leads to its page. */
export function wholePayee(address: string): Html {
  return linked(payeeHref(address), html`<code class="full">${hashText(address)}</code>`);
}

/** A shortened address that leads to its page. */
export function payeeLink(address: string): Html {
  const shown = html`<code title="${untrustedText(address)}">${shortAddress(address)}</code>`;
  return linked(payeeHref(address), shown);
}

export function price(amount: MicroUsd | null): string {
  return amount === null ? '' : `$${formatUsd(amount)}`;
}
