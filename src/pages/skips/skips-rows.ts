import { html } from 'hono/html';
import { formatUsd, type MicroUsd } from '../../core/money/micro-usd.ts';
import type { CrawlReceipt } from '../../core/receipt/crawl-receipt.ts';
import { EVERY_SKIP, hostOf as hostWithoutPort } from '../../core/receipt/skip-filter.ts';
import { groupOf, SKIP_GROUPS, type SkipGroupWords } from '../../core/receipt/skip-groups.ts';
import { SKIP_WORDS } from '../../core/verdict/skip-codes.ts';
import type { CrawlPage } from '../../flows/read/list-crawl.ts';
import type { SellerNote, SellerNotes } from '../../flows/seller/seller-notes.ts';
import { viewUrl } from '../../wire/requests/skips-request.ts';
import type { Links } from '../../wire/responses/links.ts';
import { breakable, breakableWords } from '../frame/breakable.ts';
import { checkedSince } from '../frame/checked-since.ts';
import { hostOf } from '../frame/host-of.ts';
import type { Html } from '../frame/layout.ts';
import { grouped } from '../frame/numbers.ts';
import { hostHref } from '../frame/page-hrefs.ts';
import { sellerReply } from '../frame/seller-reply.ts';
import type { VerdictWord } from '../frame/verdict-mark.ts';

const URL_SHOWN_CHARS = 200;
const REASON_SHOWN_CHARS = 300;
const LIST_SHOWN_CHARS = 80;
const HOST_SHOWN_CHARS = 100;

/** The skips of one page under their groups, the gravest first. A row leads to its receipt and never to the endpoint itself. */
export function skipRows({ run, receipts }: CrawlPage, links: Links, notes: SellerNotes): Html[] {
  const reasons = run?.summary.facets?.reasons ?? null;
  return SKIP_GROUPS.flatMap((group) => {
    const rows = receipts.filter(({ code }) => groupOf(code) === group.group);
    return rows.length === 0
      ? []
      : html`<h3 id="${group.group}">${group.title}</h3>
<p>${group.about}</p>
${reasons === null ? '' : inTheRun(group, reasons, links)}
${table(group.title, rows, notes, links)}
`;
  });
}

/** How many of the whole run, and for which reasons. */
function inTheRun({ codes }: SkipGroupWords, reasons: ReadonlyMap<string, number>, { skips }: Links): Html {
  const counts = codes.map((code) => ({ code, count: reasons.get(code) ?? 0 }));
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  const links = counts
    .filter(({ count }) => count > 0)
    .map(({ code, count }) => {
      const href = viewUrl(skips, { ...EVERY_SKIP, reason: code }, null);
      return html`<li><a class="chip" href="${href}">${SKIP_WORDS[code]}: ${grouped(count)}</a></li>\n`;
    });
  return html`<ul class="reasons"><li><strong>${grouped(all)} in this run.</strong></li>
${links}</ul>`;
}

function table(caption: string, receipts: readonly CrawlReceipt[], notes: SellerNotes, links: Links): Html {
  return html`<table class="rows skips">
<caption><span class="unseen">${caption}: </span>${grouped(receipts.length)} on this page</caption>
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
  return html`<tr id="${id}"><th scope="row"><a href="${links.receipt(id)}">${method} ${breakable(url, URL_SHOWN_CHARS)}</a>${hostLink(url)}</th>
<td>${note?.corrected === undefined ? breakableWords(reason, REASON_SHOWN_CHARS) : wrong(note.corrected)}${note === undefined ? '' : since(note, url, links)}</td><td class="number" data-label="Listed">${price(claimedPrice)}</td><td class="number" data-label="Asked">${price(quotedPrice)}</td>
<td data-label="List">${breakable(sourceList, LIST_SHOWN_CHARS)}</td><td data-label="Checked"><time datetime="${time}">${time.slice(0, 10)}</time></td></tr>
`;
}

function hostLink(url: string): Html | string {
  const host = hostWithoutPort(url);
  const href = hostHref(host);
  return href === null
    ? ''
    : html` <a class="host" href="${href}">All endpoints of ${breakable(host, HOST_SHOWN_CHARS)}</a>`;
}

/** A verdict that was wrong is not said again. */
function wrong(right: VerdictWord): Html {
  return html`<span class="quiet"><a href="/corrections">was skip, corrected: ${right}</a></span>`;
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
