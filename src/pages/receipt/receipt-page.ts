import { html } from 'hono/html';
import { formatUsd } from '../../core/money/micro-usd.ts';
import { isRedacted } from '../../core/url/redact-url.ts';
import { parseTargetUrl } from '../../core/url/target-url.ts';
import { isAnyAddress } from '../../core/x402/address.ts';
import type { FoundReceipt } from '../../flows/read/read-receipts.ts';
import type { Verification } from '../../flows/read/receipt-verification.ts';
import type { SellerNote } from '../../flows/seller/seller-notes.ts';
import type { StoredCorrection } from '../../ports/log/corrections.ts';
import type { CheckForm } from '../../wire/requests/check-form.ts';
import { singleCrawlReceiptJson } from '../../wire/responses/crawl-receipt-json.ts';
import type { Links } from '../../wire/responses/links.ts';
import { liveReceiptJson } from '../../wire/responses/live-receipt-json.ts';
import { checkedSince } from '../frame/checked-since.ts';
import { codeBlock } from '../frame/code-block.ts';
import { copyButton } from '../frame/copy-button.ts';
import { curlCommand } from '../frame/curl-command.ts';
import { hostOf } from '../frame/host-of.ts';
import { type Html, layout } from '../frame/layout.ts';
import { sellerReply } from '../frame/seller-reply.ts';
import { shownTime } from '../frame/shown-time.ts';
import { untrustedText } from '../frame/untrusted-text.ts';
import { CHECK_PATH } from '../front/check-form.ts';
import { approvedTerms } from './approved-terms.ts';
import { correctedNotice } from './corrected-notice.ts';
import { diffTable } from './diff-table.ts';
import { historyStrip } from './history-strip.ts';
import { LIMITS_OF_A_CHECK } from './not-proven.ts';
import { type ReceiptView, receiptView } from './receipt-view.ts';
import { shownVerdict } from './shown-verdict.ts';
import { stepsTable } from './steps-table.ts';
import { verdictCard } from './verdict-card.ts';
import { verifyReceipt } from './verify-receipt.ts';
import { whatToFix } from './what-to-fix.ts';

export interface ReceiptPageParts {
  readonly found: FoundReceipt;
  /** All receipts of the URL; null if part of the URL is redacted. */
  readonly history: readonly FoundReceipt[] | null;
  /** Catalog services at this URL. */
  readonly services: readonly { readonly id: string; readonly name: string }[];
  /** What the owner of the endpoint had us do and keep. */
  readonly note: SellerNote | null;
  /** Null for a receipt from before there were statements. */
  readonly verification: Verification | null;
  /** Newest first. */
  readonly corrections: readonly StoredCorrection[];
  /** Where its row is among the skips; null when it has none. */
  readonly skipPage: number | null;
  readonly links: Links;
  readonly now: Date;
}

/** The page of one receipt. Every value goes through the template, which escapes it. */
export async function receiptPage({
  found,
  history,
  services,
  note,
  verification,
  corrections,
  skipPage,
  links,
  now,
}: ReceiptPageParts): Promise<string> {
  const view = receiptView(found);
  const isCorrected = corrections.length > 0;
  const address = links.receipt(view.id);
  const command = curlCommand(links.spotCheck, formOf(view));
  const body = html`<h1>${TITLES[view.kind]} of <bdi>${untrustedText(hostOf(view.url), 80)}</bdi></h1>
${correctedNotice(corrections)}
${verdictCard(view, now, isCorrected)}
${noted(note, view, links)}
${view.verdict === 'skip' ? html`<p class="quiet">Is this your endpoint? <a href="/sellers">Fix it, have it checked again, or reply</a>.</p>` : ''}
${view.approved === null || isCorrected ? '' : approvedTerms(view.approved, view.termsSha256, now)}
${whatToFix(view.diagnostics)}
<h2>${view.claimedBy === 'Listed' ? 'Listed and live terms' : 'Expected and live terms'}</h2>
${diffTable(view)}
<h2>What this does not prove</h2>
${LIMITS_OF_A_CHECK}
${ownCalls(services)}
<h2 id="verify">Verify this receipt</h2>
${verifyReceipt(verification, links)}
<h2>Check again</h2>
${checkAgain(view)}
<h2>Rules</h2>
${stepsTable(view.steps)}
<h2>History of this URL</h2>
${historyStrip(history?.map(receiptView) ?? null, view.id)}
<h2>Share</h2>
<p>Permanent link: <a href="${address}">${address}</a> ${copyButton(address, 'the link')}</p>
${isRedacted(view.url) ? '' : codeBlock(command, 'the command')}
<p>As JSON: the same address with <code>Accept: application/json</code>, or <a href="/v1/receipts/${view.id}.json">${view.id}.json</a>.</p>
${badge(view, links)}
<details>
<summary>Raw evidence</summary>
<pre tabindex="0" role="region" aria-label="The receipt"><code>${evidence(found, links, skipPage)}</code></pre>
</details>`;
  const title = shownVerdict(view, now, isCorrected).headline;
  return String(
    await layout({ title, description: untrustedText(view.sentence), address, body, scripted: true }),
  );
}

const TITLES: Readonly<Record<ReceiptView['kind'], string>> = {
  live: 'Check',
  'dry-run': 'Dry run',
  crawl: 'Weekly check',
};

/** More than a receipt with 64 offers has. */
const EVIDENCE_MAX_LINES = 1_000;
const LINE_MAX_CHARS = 2_400;

function evidence(found: FoundReceipt, links: Links, skipPage: number | null): string {
  const lines = JSON.stringify(jsonOf(found, links, skipPage), null, 2)
    .split('\n')
    .slice(0, EVIDENCE_MAX_LINES);
  return lines.map((line) => untrustedText(line, LINE_MAX_CHARS)).join('\n');
}

function jsonOf(found: FoundReceipt, links: Links, skipPage: number | null) {
  return found.kind === 'live'
    ? liveReceiptJson(found.receipt, links)
    : singleCrawlReceiptJson(found.receipt, links, skipPage);
}

function noted(note: SellerNote | null, { url }: ReceiptView, links: Links): Html | string {
  if (note === null) return '';
  const { checkedAgain, reply } = note;
  return html`${checkedAgain === null ? '' : checkedSince(checkedAgain, links)}${reply === null ? '' : sellerReply(reply, hostOf(url))}`;
}

/** The form that repeats this check. Claims of a listing are left out: the service uses the latest ones. */
function formOf({ url, method, claim, claimedBy }: ReceiptView): Omit<CheckForm, 'mode'> {
  const ours = claimedBy === 'Listed' ? { price: null, payTo: null, network: null } : claim;
  const reading = parseTargetUrl(url);
  return {
    url: reading.kind === 'target' ? reading.target.href : '',
    claimed_price: ours.price === null ? '' : formatUsd(ours.price),
    pay_to: ours.payTo !== null && isAnyAddress(ours.payTo) ? ours.payTo : '',
    network: ours.network ?? '',
    method: method === 'GET' ? '' : method,
  };
}

function checkAgain(view: ReceiptView): Html {
  if (isRedacted(view.url)) {
    return html`<p>Part of this URL is redacted because receipts are public. <a href="/">Enter the whole URL</a> to check it again.</p>`;
  }
  const fields = Object.entries(formOf(view)).filter(([, text]) => text !== '');
  const { probe } = view;
  return html`<form class="again" method="post" action="${CHECK_PATH}" data-progress>
${fields.map(([name, text]) => html`<input type="hidden" name="${name}" value="${text}">\n`)}<p class="buttons"><button name="mode" value="live"${probe === null ? '' : html` data-until="${probe.until.toISOString()}"`}>Check again</button>
<button name="mode" value="dry-run">Dry run</button></p>
<p class="quota">Both send one unpaid request and store a public receipt. A dry run is never an approval.</p>
${probe === null ? '' : html`<p class="quota">The endpoint was probed at ${shownTime(probe.at)}. Until ${shownTime(probe.until)} a check reuses that result.</p>`}
</form>`;
}

function ownCalls(services: ReceiptPageParts['services']): Html | string {
  if (services.length === 0) return '';
  const links = services.map(
    ({ id, name }) => html`<a href="/v1/services/${id}">${untrustedText(name)}</a> `,
  );
  return html`<p>We call this endpoint with our own money and grade the responses: ${links}</p>`;
}

function badge({ url, method }: ReceiptView, { base }: Links): Html | string {
  if (isRedacted(url)) return '';
  const query = new URLSearchParams({ url, ...(method === 'GET' ? {} : { method }) });
  const markup = `<a href="${base}/?${query}"><img src="${base}/badge.svg?${query}" alt="Assay verdict"></a>`;
  return html`<details>
<summary>Is this your endpoint?</summary>
<p>The failed rule above says what to fix. <a href="/sellers">For sellers</a>: how to have it checked again at once, reply in public, and be told
about changes. The newest decision counts, and the weekly crawl checks without being asked. A badge with the latest verdict for your own page:</p>
<p><img src="/badge.svg?${query}" alt="Badge with the latest verdict" height="20" loading="lazy"></p>
${codeBlock(markup, 'the badge markup')}
</details>`;
}
