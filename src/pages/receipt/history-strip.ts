import { html } from 'hono/html';
import { isSameAddress } from '../../core/x402/address.ts';
import type { Html } from '../frame/layout.ts';
import { shownTime } from '../frame/shown-time.ts';
import { verdictMark } from '../frame/verdict-mark.ts';
import { dollars, type ReceiptView } from './receipt-view.ts';

const KINDS: Readonly<Record<ReceiptView['kind'], string>> = {
  live: 'live check',
  'dry-run': 'dry run',
  crawl: 'weekly crawl',
};

/** The decisions about one URL, newest first; changes of price and payee are named. */
export function historyStrip(views: readonly ReceiptView[] | null, current: string): Html {
  if (views === null) {
    return html`<p>Part of this URL is redacted, so its other receipts cannot be matched.</p>`;
  }
  return html`<ol class="history">
${views.map((view, index) => entry(view, lastOffer(views.slice(index + 1)), current))}</ol>`;
}

/** The previous receipt with an offer, for comparison. */
function lastOffer(older: readonly ReceiptView[]): ReceiptView | null {
  return older.find(({ payee }) => payee !== null) ?? null;
}

function entry(view: ReceiptView, before: ReceiptView | null, current: string): Html {
  const { id, kind, verdict, checkedAt } = view;
  const price = dollars(view.quoted);
  const changes = changesOf(view, before);
  const label = html`${verdictMark(verdict)} ${shownTime(checkedAt)}`;
  return html`<li${id === current ? html` aria-current="true"` : ''}>${id === current ? label : html`<a href="/v1/receipts/${id}">${label}</a>`}
<span class="about">${KINDS[kind]}${price === null ? '' : `, ${price}`}${changes.length === 0 ? '' : html`, <strong>${changes.join(', ')}</strong>`}</span></li>
`;
}

function changesOf({ quoted, payee }: ReceiptView, before: ReceiptView | null): string[] {
  if (before === null || payee === null || before.payee === null) return [];
  const changes: string[] = [];
  if (quoted !== before.quoted) changes.push(`price was ${dollars(before.quoted) ?? 'unreadable'}`);
  if (!isSameAddress(payee, before.payee)) changes.push('payee changed');
  return changes;
}
