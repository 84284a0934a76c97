import { html } from 'hono/html';
import { formatUsd, type MicroUsd } from '../core/money/micro-usd.ts';
import type { CrawlReceipt } from '../core/receipt/crawl-receipt.ts';
import type { CrawlRun } from '../core/receipt/crawl-run.ts';
import type { CrawlPage } from '../flows/list-crawl.ts';
import type { Links } from '../wire/links.ts';
import { viewUrl } from '../wire/skips-request.ts';
import { layout } from './layout.ts';

/** The endpoints to skip, for people. Every value goes through the template, which escapes it. */
export async function skipsPage(found: CrawlPage, links: Links): Promise<string> {
  const { run, page, pages, receipts } = found;
  const body = html`<h1>Endpoints to skip</h1>
<p>Listed x402 endpoints whose live 402 disagrees with their listing, or that cannot be checked. One unpaid request each;
nothing was paid. <a href="${links.skipsJson}">This page in JSON</a>.</p>
${run === null ? html`<p>No crawl has been published yet.</p>` : totals(run)}
${pager(page, pages, links)}
<table>
<caption>Page ${page} of ${pages}</caption>
<thead><tr><th scope="col">Endpoint</th><th scope="col">Reason</th><th scope="col">Listed</th><th scope="col">Asked</th>
<th scope="col">List</th><th scope="col">Checked</th></tr></thead>
<tbody>
${receipts.map((receipt) => row(receipt, links))}
</tbody>
</table>
${pager(page, pages, links)}`;
  return String(await layout({ title: 'Endpoints to skip', body }));
}

function totals({ crawledAt, previousRun, summary }: CrawlRun) {
  const { endpointsCovered, newThisWeek, verdicts } = summary;
  return html`<dl>
<dt>Crawled</dt><dd><time datetime="${crawledAt.toISOString()}">${crawledAt.toISOString()}</time></dd>
<dt>Endpoints covered</dt><dd>${endpointsCovered}</dd>
<dt>New this week</dt><dd>${newThisWeek}</dd>
<dt>Skip</dt><dd>${verdicts.skip}</dd>
<dt>Pay</dt><dd>${verdicts.pay}</dd>
<dt>Recheck</dt><dd>${verdicts.recheck}</dd>
<dt>Run before</dt><dd>${previousRun === null ? 'none' : previousRun.toISOString()}</dd>
</dl>`;
}

function row(receipt: CrawlReceipt, links: Links) {
  const { id, url, method, reason, claimedPrice, quotedPrice, sourceList, checkedAt } = receipt;
  return html`<tr id="${id}"><td><a href="${links.receipt(id)}">${method} ${url}</a></td><td>${reason}</td>
<td>${price(claimedPrice)}</td><td>${price(quotedPrice)}</td><td>${sourceList}</td>
<td><time datetime="${checkedAt.toISOString()}">${checkedAt.toISOString().slice(0, 10)}</time></td></tr>
`;
}

function price(amount: MicroUsd | null): string {
  return amount === null ? '' : `$${formatUsd(amount)}`;
}

function pager(page: number, pages: number, { skips }: Links) {
  return html`<nav aria-label="Pages">
${page > 1 ? html`<a rel="prev" href="${viewUrl(skips, null, page - 1)}">Previous page</a>` : ''}
${page < pages ? html`<a rel="next" href="${viewUrl(skips, null, page + 1)}">Next page</a>` : ''}
</nav>`;
}
