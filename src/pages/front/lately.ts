import { html } from 'hono/html';
import type { RankedService } from '../../core/catalog/rank-services.ts';
import type { CrawlReceipt } from '../../core/receipt/crawl-receipt.ts';
import type { CrawlRun } from '../../core/receipt/crawl-run.ts';
import type { Lately, RecentCheck } from '../../flows/read/read-lately.ts';
import { bestServices } from '../catalog/best-services.ts';
import { breakable, breakableWords } from '../frame/breakable.ts';
import { hostOf } from '../frame/host-of.ts';
import type { Html } from '../frame/layout.ts';
import { NO_CRAWL } from '../frame/missing-data.ts';
import { grouped } from '../frame/numbers.ts';
import { age, shownTime } from '../frame/shown-time.ts';
import { verdictMark } from '../frame/verdict-mark.ts';
import { dollars, receiptView } from '../receipt/receipt-view.ts';
import { shownVerdict } from '../receipt/shown-verdict.ts';

/** The numbers of the last crawl, beside the form. */
export function crawlNumbers(run: CrawlRun | null): Html {
  if (run === null) {
    return html`<aside class="numbers" aria-label="The last crawl"><h2>The last crawl</h2>
<p>${NO_CRAWL}</p></aside>`;
  }
  const { endpointsCovered, newThisWeek, verdicts, needsInput } = run.summary;
  const skips = verdicts.skip - needsInput;
  return html`<aside class="numbers" aria-label="The last crawl"><h2>The last crawl</h2>
<p class="figure"><a href="/v1/skips"><strong>${grouped(skips)}</strong> of ${grouped(endpointsCovered)} listed endpoints to skip</a></p>
${shareBar(run)}
<ul>
<li>${verdictMark('pay')} ${grouped(verdicts.pay)}</li>
<li>${verdictMark('skip')} ${grouped(skips)}</li>
<li>${verdictMark('recheck')} ${grouped(verdicts.recheck)}</li>
${needsInput === 0 ? '' : html`<li>${verdictMark('aside')} ${grouped(needsInput)}</li>`}
</ul>
<p class="quiet">${shownTime(run.crawledAt)}${run.previousRun === null ? ', the first run.' : `; ${grouped(newThisWeek)} new since the previous run.`}
<a href="/method">How we check</a></p></aside>`;
}

/** The shares as one bar; the list below it has the numbers. */
function shareBar({ summary: { verdicts, needsInput } }: CrawlRun): Html {
  const parts = [
    ['fill-pay', verdicts.pay],
    ['fill-recheck', verdicts.recheck],
    ['fill-aside', needsInput],
    ['fill-skip', verdicts.skip - needsInput],
  ] as const;
  const all = Math.max(1, verdicts.pay + verdicts.recheck + verdicts.skip);
  const starts = parts.map((_, index) => parts.slice(0, index).reduce((sum, [, count]) => sum + count, 0));
  return html`<svg class="shares" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">${parts.map(
    ([fill, count], index) =>
      html`<rect class="${fill}" x="${share(starts[index] ?? 0, all)}" width="${share(count, all)}" height="4"/>`,
  )}</svg>`;
}

function share(part: number, whole: number): string {
  return ((100 * part) / whole).toFixed(2);
}

export function latelyPanels(
  { checks, featured }: Lately,
  ranked: readonly RankedService[],
  now: Date,
): Html {
  return html`<section aria-labelledby="lately"><h2 id="lately">Recent</h2>
<div class="cols">
<div class="panel"><h3>Last public checks</h3>
${checks.length === 0 ? html`<p class="quiet">None yet. Use the form above.</p>` : html`<ul class="checks">\n${checks.map((check) => checkRow(check, now))}</ul>`}
<p class="quiet">Live checks whose caller gave no expected terms. <a class="more" href="/v1/receipts?type=live">As JSON</a></p></div>
<div class="panel"><h3>The largest mismatch</h3>
${featured === null ? html`<p class="quiet">No mismatch to show.</p>` : mismatch(featured)}
<p><a class="more" href="/v1/skips">All endpoints to skip</a></p></div>
<div class="panel"><h3>Best verified services</h3>
${best(ranked)}
<p><a class="more" href="/catalog">The whole catalog</a></p></div>
</div></section>`;
}

const BEST_SHOWN = 5;
const REASON_SHOWN_CHARS = 200;

function best(ranked: readonly RankedService[]): Html {
  const shown = bestServices(ranked, BEST_SHOWN);
  return shown === ''
    ? html`<p class="quiet">No service has passed enough of our own paid calls yet.</p>`
    : html`${shown}`;
}

function checkRow({ receipt, host }: RecentCheck, now: Date): Html {
  const { tone } = shownVerdict(receiptView({ kind: 'live', receipt }), now, false);
  const name =
    host === null
      ? 'an unlisted endpoint'
      : html`<a href="/v1/receipts/${receipt.id}">${breakable(host, 60)}</a>`;
  return html`<li>${verdictMark(tone)} <span>${name}</span> <span class="quiet">${age(receipt.checkedAt, now)}</span></li>
`;
}

function mismatch(receipt: CrawlReceipt): Html {
  return html`<p class="said">${verdictMark('skip')} <a href="/v1/receipts/${receipt.id}">${breakable(hostOf(receipt.url), 60)}</a></p>
<p>${differenceWords(receipt)}</p>`;
}

function differenceWords({ code, claimedPrice, quotedPrice, reason }: CrawlReceipt): Html | string {
  const [listed, asked] = [dollars(claimedPrice), dollars(quotedPrice)];
  if (code === 'pay_to_mismatch') return 'Asks to pay another address than the listed one.';
  if (code !== 'price_mismatch' || listed === null || asked === null)
    return breakableWords(reason, REASON_SHOWN_CHARS);
  return html`Listed at <strong>${listed}</strong>, asks <strong>${asked}</strong>.`;
}
