import { html } from 'hono/html';
import { CRAWL_PAGE_SIZE } from '../../core/limits.ts';
import { formatUsd, type MicroUsd } from '../../core/money/micro-usd.ts';
import type { CrawlReceipt } from '../../core/receipt/crawl-receipt.ts';
import { isSetAside } from '../../core/verdict/skip-codes.ts';
import type { CrawlPage } from '../../flows/read/list-crawl.ts';
import type { SellerNote, SellerNotes } from '../../flows/seller/seller-notes.ts';
import { viewUrl } from '../../wire/requests/skips-request.ts';
import type { Links } from '../../wire/responses/links.ts';
import { checkedSince } from '../frame/checked-since.ts';
import { hostOf } from '../frame/host-of.ts';
import type { Html } from '../frame/layout.ts';
import { grouped } from '../frame/numbers.ts';
import { sellerReply } from '../frame/seller-reply.ts';
import { untrustedText } from '../frame/untrusted-text.ts';

const URL_SHOWN_CHARS = 200;
const REASON_SHOWN_CHARS = 300;
const LIST_SHOWN_CHARS = 80;

/** The skips of one page. A row leads to its receipt and never to the endpoint itself. */
export function skipRows({ page, receipts }: CrawlPage, links: Links, notes: SellerNotes): Html {
  const before = (page - 1) * CRAWL_PAGE_SIZE;
  const aside = receipts.filter(({ code }) => isSetAside(code));
  const skips = receipts.filter(({ code }) => !isSetAside(code));
  const caption = `Skips ${grouped(before + 1)} to ${grouped(before + receipts.length)}`;
  return html`${skips.length === 0 ? '' : table(caption, skips, notes, links)}
${aside.length === 0 ? '' : setAside(aside, notes, links)}`;
}

/** In a section of their own: nothing was found against them. */
function setAside(receipts: readonly CrawlReceipt[], notes: SellerNotes, links: Links): Html {
  return html`<h3>Set aside: they want input first</h3>
<p>These endpoints refused a request without input before they asked for payment. That says nothing against them, and
they do not count among the skips. A check with the input that they need can tell more.</p>
${table('Endpoints that want input first', receipts, notes, links)}`;
}

function table(caption: string, receipts: readonly CrawlReceipt[], notes: SellerNotes, links: Links): Html {
  return html`<table class="skips">
<caption>${caption}</caption>
<thead><tr><th scope="col">Endpoint</th><th scope="col">Reason</th><th scope="col" class="number">Listed</th>
<th scope="col" class="number">Asked</th><th scope="col">List</th><th scope="col">Checked</th></tr></thead>
<tbody>
${receipts.map((receipt) => row(receipt, links, notes.get(receipt.id)))}
</tbody>
</table>`;
}

function row(receipt: CrawlReceipt, links: Links, note: SellerNote | undefined): Html {
  const { id, url, method, reason, claimedPrice, quotedPrice, sourceList, checkedAt } = receipt;
  const time = checkedAt.toISOString();
  return html`<tr id="${id}"><th scope="row"><a href="${links.receipt(id)}">${method} <bdi>${untrustedText(url, URL_SHOWN_CHARS)}</bdi></a></th>
<td><bdi>${untrustedText(reason, REASON_SHOWN_CHARS)}</bdi>${note === undefined ? '' : since(note, url, links)}</td><td class="number" data-name="Listed">${price(claimedPrice)}</td><td class="number" data-name="Asked">${price(quotedPrice)}</td>
<td data-name="List"><bdi>${untrustedText(sourceList, LIST_SHOWN_CHARS)}</bdi></td><td data-name="Checked"><time datetime="${time}">${time.slice(0, 10)}</time></td></tr>
`;
}

/** What the owner of the endpoint has done about it. */
function since({ checkedAgain, reply }: SellerNote, url: string, links: Links): Html {
  return html`${checkedAgain === null ? '' : checkedSince(checkedAgain, links)}${reply === null ? '' : sellerReply(reply, hostOf(url))}`;
}

function price(amount: MicroUsd | null): string {
  return amount === null ? '' : `$${formatUsd(amount)}`;
}

/** `which` distinguishes two of them on one page. */
export function pager({ page, pages, view }: CrawlPage, { skips }: Links, which: string): Html | string {
  if (pages === 1) return '';
  const at = (target: number) => viewUrl(skips, view?.filter ?? null, target);
  return html`<nav class="pager" aria-label="Pages, ${which} the list">
${page > 2 ? html`<a href="${at(1)}">First</a>` : ''}
${page > 1 ? html`<a rel="prev" href="${at(page - 1)}">Previous page</a>` : ''}
<span>Page ${page} of ${pages}</span>
${page < pages ? html`<a rel="next" href="${at(page + 1)}">Next page</a>` : ''}
${page < pages - 1 ? html`<a href="${at(pages)}">Last</a>` : ''}
</nav>`;
}
