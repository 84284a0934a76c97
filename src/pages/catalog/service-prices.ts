import { html } from 'hono/html';
import type { AskedPrice, PriceSpan } from '../../core/catalog/asked-prices.ts';
import { formatUsd, type MicroUsd, microUsd } from '../../core/money/micro-usd.ts';
import type { ListedAndAsked } from '../../flows/lookup/read-asked-prices.ts';
import type { Html } from '../frame/layout.ts';
import { shownTime } from '../frame/shown-time.ts';

const SPANS_SHOWN = 12;
const SOURCES: Readonly<Record<AskedPrice['source'], string>> = {
  paid: 'paid calls',
  crawl: 'weekly crawl',
};

/** The listed price against what the endpoint asked, latest first. The bars are in proportion to the prices. */
export function pricesOverTime({ listed, asked }: ListedAndAsked): Html {
  if (asked.length === 0)
    return html`<p>Listed: $${formatUsd(listed)}. No price was asked in a paid call or a crawl yet.</p>`;
  const shown = asked.slice(0, SPANS_SHOWN);
  const top = shown.reduce((highest: bigint, { price }) => (price > highest ? price : highest), listed);
  const cut = asked.length > SPANS_SHOWN ? `, the last ${SPANS_SHOWN} of ${asked.length} changes` : '';
  return html`<table class="rows prices">
<caption>Listed: $${formatUsd(listed)}. Asked, latest first${cut}</caption>
<thead><tr><th scope="col" class="number">Asked</th><th scope="col"><span class="unseen">As a bar</span></th><th scope="col">Against the listing</th><th scope="col">From</th><th scope="col">To</th><th scope="col">Seen in</th></tr></thead>
<tbody>
${shown.map((span) => row(span, listed, top))}</tbody>
</table>`;
}

function row({ price, from, to, times, sources }: PriceSpan, listed: MicroUsd, top: bigint): Html {
  return html`<tr><th scope="row" class="number">$${formatUsd(price)}</th><td class="drawn">${bar(percentOf(price, top), percentOf(listed, top))}</td>
<td data-label="Against the listing">${against(price, listed)}</td><td data-label="From">${shownTime(from)}</td><td data-label="To">${shownTime(to)}</td>
<td data-label="Seen in">${times}\u00a0× ${sources.map((source) => SOURCES[source]).join(' and ')}</td></tr>
`;
}

/** To draw with; a width of a bar may be rounded. */
function percentOf(price: bigint, top: bigint): number {
  return top === 0n ? 0 : Number((1_000n * price) / top) / 10;
}

/** The tick is the listed price. */
function bar(asked: number, listed: number): Html {
  return html`<svg class="interval" viewBox="0 0 100 12" aria-hidden="true" focusable="false"><rect class="track" y="5" width="100" height="2" rx="1"/><rect class="range" y="2" width="${asked}" height="8" rx="2"/><rect class="rate" x="${Math.max(0, listed - 3)}" width="3" height="12"/></svg>`;
}

function against(asked: MicroUsd, listed: MicroUsd): string {
  if (asked === listed) return 'as listed';
  const difference = asked > listed ? asked - listed : listed - asked;
  return `$${formatUsd(microUsd(difference))} ${asked > listed ? 'more' : 'less'}`;
}
