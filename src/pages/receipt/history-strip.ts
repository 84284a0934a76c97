import { html } from 'hono/html';
import { hostOf } from '../../core/receipt/skip-filter.ts';
import { isSameAddress } from '../../core/x402/address.ts';
import type { Html } from '../frame/layout.ts';
import { linked } from '../frame/linked.ts';
import { hostHref, payeeHref } from '../frame/page-hrefs.ts';
import { shownTime } from '../frame/shown-time.ts';
import { untrustedText } from '../frame/untrusted-text.ts';
import { verdictIcon } from '../frame/verdict-mark.ts';
import { shortAddress } from '../frame/wallet-address.ts';
import { dollars, type ReceiptView } from './receipt-view.ts';
import { shownVerdict } from './shown-verdict.ts';

const KINDS: Readonly<Record<ReceiptView['kind'], string>> = {
  live: 'live check',
  'dry-run': 'dry run',
  crawl: 'weekly crawl',
};

export interface HistoryParts {
  /** Newest first, bounded by the reader; null if part of the URL is redacted. */
  readonly views: readonly ReceiptView[] | null;
  readonly current: ReceiptView;
  readonly isCorrected: boolean;
  readonly now: Date;
}

/** Shown without unfolding. */
const OPEN_MAX = 6;

/** The decisions about one URL, newest first; changes of price and payee are named. */
export function historyStrip(parts: HistoryParts): Html {
  const { views, current } = parts;
  if (views === null) {
    return html`<p>Part of this URL is redacted, so its other receipts cannot be matched.</p>${hostLink(current)}`;
  }
  const entries = views.map((view, index) => entry(view, lastOffer(views.slice(index + 1)), parts));
  return html`<ol class="history">
${entries.slice(0, OPEN_MAX)}</ol>
${older(entries.slice(OPEN_MAX))}${hostLink(current)}`;
}

function older(entries: readonly Html[]): Html | string {
  if (entries.length === 0) return '';
  return html`<details><summary>${entries.length} older</summary>
<ol class="history">
${entries}</ol>
</details>
`;
}

function hostLink({ url }: ReceiptView): Html | string {
  const host = hostOf(url);
  const href = hostHref(host);
  if (href === null) return '';
  return html`<p><a class="more" href="${href}">All endpoints of <bdi>${untrustedText(host, 80)}</bdi></a></p>`;
}

/** The previous receipt with an offer, for comparison. */
function lastOffer(older: readonly ReceiptView[]): ReceiptView | null {
  return older.find(({ payee }) => payee !== null) ?? null;
}

function entry(view: ReceiptView, before: ReceiptView | null, parts: HistoryParts): Html {
  const { id, kind, checkedAt } = view;
  const isCurrent = id === parts.current.id;
  const { tone, word } = shownVerdict(view, parts.now, isCurrent && parts.isCorrected);
  const price = dollars(view.quoted);
  const label = html`<span class="mark ${tone}">${verdictIcon(tone)} ${word}</span> ${shownTime(checkedAt)}`;
  return html`<li${isCurrent ? html` aria-current="true"` : ''}>${isCurrent ? label : html`<a href="/v1/receipts/${id}">${label}</a>`}
<span class="about">${KINDS[kind]}${price === null ? '' : `, ${price}`}${isCurrent ? ', this receipt' : ''}</span>${changesOf(view, before)}</li>
`;
}

function changesOf({ quoted, payee }: ReceiptView, before: ReceiptView | null): Html | string {
  if (before === null || payee === null || before.payee === null) return '';
  const price = quoted === before.quoted ? null : `price was ${dollars(before.quoted) ?? 'unreadable'}`;
  const isMoved = !isSameAddress(payee, before.payee);
  if (price === null && !isMoved) return '';
  return html` <strong class="changed">${price ?? ''}${price !== null && isMoved ? ', ' : ''}${isMoved ? html`payee changed to ${payeeLink(payee)}` : ''}</strong>`;
}

function payeeLink(payee: string): Html {
  const short = html`<code title="${untrustedText(payee)}">${shortAddress(payee)}</code>`;
  return linked(payeeHref(payee), short);
}
