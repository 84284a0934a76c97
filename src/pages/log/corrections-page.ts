import { html } from 'hono/html';
import { WITHDRAWAL_REASONS, type WithdrawalReason } from '../../core/log/entry.ts';
import { BECAUSE_MAX_CHARS } from '../../core/statement/correction.ts';
import type { CorrectionsPage } from '../../flows/read/list-corrections.ts';
import type { StoredCorrection } from '../../ports/log/corrections.ts';
import type { Links } from '../../wire/responses/links.ts';
import { type Html, layout } from '../frame/layout.ts';
import { grouped } from '../frame/numbers.ts';
import { shownTime } from '../frame/shown-time.ts';
import { untrustedText } from '../frame/untrusted-text.ts';
import { verdictMark } from '../frame/verdict-mark.ts';

/** Why a receipt is gone, for people. */
export const WITHDRAWAL_WORDS: Readonly<Record<WithdrawalReason, string>> = {
  secret: 'It contained a secret.',
  personal: 'It contained personal data.',
  legal: 'A legal obligation.',
  error: 'It was published by mistake.',
};

/** /corrections: what we said that was wrong, and how much we took back. */
export async function correctionsPage(found: CorrectionsPage, links: Links): Promise<string> {
  const { corrections, page, hasNext, withdrawals } = found;
  const body = html`<h1>Corrections and withdrawals</h1>
<p>A receipt never changes. A wrong verdict is corrected here, on the page of its receipt and in the
<a href="/log/checkpoint">log</a>, which only grows.</p>
<h2>Corrections</h2>
${corrections.length === 0 ? html`<p>${page === 1 ? 'No verdict has been corrected yet.' : 'There are no corrections on this page.'}</p>` : table(corrections)}
${turning(page, hasNext)}
<h2>Withdrawn receipts</h2>
<p>The text of a receipt is removed when it must not be public. Its hash stays in the log with the reason, so withdrawals
can be counted, and the text cannot be replaced by another.</p>
<table class="rows">
<thead><tr><th scope="col">Reason</th><th scope="col">Meaning</th><th scope="col">Receipts</th></tr></thead>
<tbody>
${WITHDRAWAL_REASONS.map(
  (
    reason,
  ) => html`<tr><td data-label="Reason"><code>${reason}</code></td><td data-label="Meaning">${WITHDRAWAL_WORDS[reason]}</td><td data-label="Receipts">${grouped(withdrawals[reason])}</td></tr>
`,
)}</tbody>
</table>
<p>As JSON, with the texts that the log commits to: <a href="/v1/corrections">/v1/corrections</a>.</p>`;
  return String(
    await layout({
      title: 'Corrections and withdrawals',
      description: 'Verdicts of Assay that proved wrong, and how many receipts were withdrawn.',
      address: `${links.base}/corrections`,
      body,
    }),
  );
}

function table(corrections: readonly StoredCorrection[]): Html {
  return html`<table class="rows corrections">
<thead><tr><th scope="col">When</th><th scope="col">Receipt</th><th scope="col">We said</th><th scope="col">Right verdict</th><th scope="col">Why</th></tr></thead>
<tbody>
${corrections.map(
  ({ at, receiptId, was, is, because }) => html`<tr><td data-label="When">${shownTime(at)}</td>
<td data-label="Receipt"><a href="/v1/receipts/${receiptId}"><code>${receiptId}</code></a></td>
<td data-label="We said">${verdictMark(was)}</td><td data-label="Right verdict">${verdictMark(is)}</td>
<td data-label="Why"><bdi>${untrustedText(because, BECAUSE_MAX_CHARS)}</bdi></td></tr>
`,
)}</tbody>
</table>`;
}

function turning(page: number, hasNext: boolean): Html | string {
  if (page === 1 && !hasNext) return '';
  return html`<p>${page === 1 ? '' : html`<a href="/corrections?page=${page - 1}" rel="prev">Newer</a> `}${hasNext ? html`<a href="/corrections?page=${page + 1}" rel="next">Older</a>` : ''}</p>`;
}
