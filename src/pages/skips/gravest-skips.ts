import { html } from 'hono/html';
import { formatUsd } from '../../core/money/micro-usd.ts';
import type { CrawlReceipt } from '../../core/receipt/crawl-receipt.ts';
import type { Links } from '../../wire/responses/links.ts';
import { breakable } from '../frame/breakable.ts';
import type { Html } from '../frame/layout.ts';

const URL_SHOWN_CHARS = 120;

/** The few skips that would cost a buyer most, each with a sentence of ours. */
export function gravestSkips(receipts: readonly CrawlReceipt[], links: Links): Html | string {
  if (receipts.length === 0) return '';
  return html`<section class="panel gravest" aria-labelledby="gravest">
<h2 id="gravest">Most serious</h2>
<ol>
${receipts.map(
  (
    receipt,
  ) => html`<li><a href="${links.receipt(receipt.id)}">${receipt.method} ${breakable(receipt.url, URL_SHOWN_CHARS)}</a>
<strong>${sentence(receipt)}</strong></li>
`,
)}</ol>
</section>`;
}

function sentence({ code, claimedPrice, quotedPrice }: CrawlReceipt): string {
  if (code === 'pay_to_mismatch' || claimedPrice === null || quotedPrice === null) {
    return 'asks to pay another address than listed';
  }
  return `asks $${formatUsd(quotedPrice)} instead of $${formatUsd(claimedPrice)}`;
}
