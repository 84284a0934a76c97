import { html } from 'hono/html';
import { hostOf as hostWithoutPort } from '../../core/receipt/skip-filter.ts';
import { isRedacted } from '../../core/url/redact-url.ts';
import type { FoundReceipt } from '../../flows/read/read-receipts.ts';
import type { Verification } from '../../flows/read/receipt-verification.ts';
import type { ShownPlace } from '../../flows/read/shown-place.ts';
import type { SellerNote } from '../../flows/seller/seller-notes.ts';
import type { StoredCorrection } from '../../ports/log/corrections.ts';
import { singleCrawlReceiptJson } from '../../wire/responses/crawl-receipt-json.ts';
import type { Links } from '../../wire/responses/links.ts';
import { liveReceiptJson } from '../../wire/responses/live-receipt-json.ts';
import { cardOfReceipt } from '../cards/card-links.ts';
import { breakable } from '../frame/breakable.ts';
import { checkedSince } from '../frame/checked-since.ts';
import { codeBlock } from '../frame/code-block.ts';
import { copyButton } from '../frame/copy-button.ts';
import { crumbs } from '../frame/crumbs.ts';
import { curlCommand } from '../frame/curl-command.ts';
import { hostOf } from '../frame/host-of.ts';
import { type Html, layout } from '../frame/layout.ts';
import { hostHref } from '../frame/page-hrefs.ts';
import { sellerReply } from '../frame/seller-reply.ts';
import { secondOf } from '../frame/shown-time.ts';
import { untrustedText } from '../frame/untrusted-text.ts';
import { descriptionOf } from './advice.ts';
import { approvedTerms } from './approved-terms.ts';
import { checkAgain, formOf } from './check-again.ts';
import { correctedNotice } from './corrected-notice.ts';
import { diffTable } from './diff-table.ts';
import { historyStrip } from './history-strip.ts';
import { otherViews } from './other-views.ts';
import { ownerBox } from './owner-box.ts';
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
  readonly place: ShownPlace;
  readonly links: Links;
  readonly now: Date;
}

/** The page of one receipt. Every value goes through the template, which escapes it. */
export async function receiptPage(parts: ReceiptPageParts): Promise<string> {
  const { found, history, services, note, verification, corrections, place, links, now } = parts;
  const view = receiptView(found);
  const isCorrected = corrections.length > 0;
  const shown = shownVerdict(view, now, isCorrected);
  const address = links.receipt(view.id);
  const body = html`${above(view.url)}<h1 class="subject">${TITLES[view.kind]} of ${breakable(hostOf(view.url), HOST_MAX_CHARS)}</h1>
${correctedNotice(corrections)}
${verdictCard(view, now, isCorrected)}
${printed(view, address)}
${noted(note, view, links)}
${view.approved === null || isCorrected ? '' : approvedTerms(view.approved, view.termsSha256, now)}
<h2>${view.claimedBy === 'Listed' ? 'Listed and live terms' : 'Expected and live terms'}</h2>
${diffTable(view)}
${otherViews(view.others)}
${ownCalls(services)}
${whatToFix(view)}
<section class="repeat" aria-labelledby="again">
<h2 id="again">Check again</h2>
${checkAgain(view)}
</section>
${verifyReceipt(verification, links)}
<section class="results" aria-labelledby="rules">
<h2 id="rules">Rules</h2>
${stepsTable(view.steps)}
</section>
<section class="past" aria-labelledby="history">
<h2 id="history">History of this URL</h2>
${historyStrip({ views: history?.map(receiptView) ?? null, current: view, isCorrected, now })}
</section>
${ownerBox(view, links)}
<section class="share" aria-labelledby="share">
<h2 id="share">Share</h2>
<p>Permanent link: <a href="${address}">${breakable(address)}</a> ${copyButton(address, 'the link')}</p>
<p>As JSON: the same address with <code>Accept: application/json</code>, or <a href="/v1/receipts/${view.id}.json">${view.id}.json</a>.</p>
${isRedacted(view.url) ? '' : html`<p>The same check from a shell:</p>${codeBlock(curlCommand(links.spotCheck, formOf(view)), 'the command of this check')}`}
</section>
<details class="evidence">
<summary>Raw evidence</summary>
<pre tabindex="0" role="region" aria-label="The receipt"><code>${evidence(found, links, place)}</code></pre>
</details>`;
  return String(
    await layout({
      title: shown.headline,
      description: descriptionOf(view, shown, corrections),
      address,
      card: cardOfReceipt(links, view.id, shown),
      json: `/v1/receipts/${view.id}.json`,
      body,
      scripted: true,
    }),
  );
}

const TITLES: Readonly<Record<ReceiptView['kind'], string>> = {
  live: 'Check',
  'dry-run': 'Dry run',
  crawl: 'Weekly check',
};

const HOST_MAX_CHARS = 80;

function above(url: string): Html | string {
  const host = hostWithoutPort(url);
  const href = hostHref(host);
  return href === null ? '' : crumbs([{ href, name: untrustedText(host, HOST_MAX_CHARS) }]);
}

/** For paper, where no address bar says what this is. A screen does not show it. */
function printed({ id, checkedAt }: ReceiptView, address: string): Html {
  return html`<p class="printed">Receipt ${id}, checked ${secondOf(checkedAt)}. ${breakable(address)}</p>`;
}

/** More than a receipt with 64 offers has. */
const EVIDENCE_MAX_LINES = 1_000;
const LINE_MAX_CHARS = 2_400;

function evidence(found: FoundReceipt, links: Links, place: ShownPlace): string {
  const lines = JSON.stringify(jsonOf(found, links, place), null, 2)
    .split('\n')
    .slice(0, EVIDENCE_MAX_LINES);
  return lines.map((line) => untrustedText(line, LINE_MAX_CHARS)).join('\n');
}

function jsonOf(found: FoundReceipt, links: Links, place: ShownPlace) {
  return found.kind === 'live'
    ? liveReceiptJson(found.receipt, links)
    : singleCrawlReceiptJson(found.receipt, links, place);
}

function noted(note: SellerNote | null, { url }: ReceiptView, links: Links): Html | string {
  if (note === null) return '';
  const { checkedAgain, reply } = note;
  return html`${checkedAgain === null ? '' : checkedSince(checkedAgain, links)}${reply === null ? '' : sellerReply(reply, hostOf(url))}`;
}

function ownCalls(services: ReceiptPageParts['services']): Html | string {
  if (services.length === 0) return '';
  const links = services.map(
    ({ id, name }) => html`<a href="/v1/services/${id}">${untrustedText(name)}</a> `,
  );
  return html`<p>We call this endpoint with our own money and grade the responses: ${links}</p>`;
}
