import { html } from 'hono/html';
import type { NeedsInput } from '../../core/input/needs-input.ts';
import { shownReason } from '../../core/receipt/uncompared.ts';
import { breakable, hashText } from '../frame/breakable.ts';
import type { Html } from '../frame/layout.ts';
import { networkName } from '../frame/network-name.ts';
import { age, shownTime } from '../frame/shown-time.ts';
import { untrustedText } from '../frame/untrusted-text.ts';
import { verdictIcon } from '../frame/verdict-mark.ts';
import { adviceOn, CORRECTED } from './advice.ts';
import { differences, sameTerms } from './diff-table.ts';
import { dollars, type ReceiptView } from './receipt-view.ts';
import { type ShownVerdict, shownVerdict } from './shown-verdict.ts';

/** The verdict as word, shape and colour; the reason, what differs and what to do, in a sentence each. */
export function verdictCard(view: ReceiptView, now: Date, isCorrected: boolean): Html {
  const { verdict, method, url, code, checkedAt } = view;
  const shown = shownVerdict(view, now, isCorrected);
  const later = laterOf(view, shown, isCorrected);
  return html`<section class="card ${shown.tone}" aria-label="Verdict"${deadlineOf(view, now, later)}>
<p class="verdict">${icons(shown, later)} <strong${laterText(later?.word)}>${shown.word}</strong></p>
<div>
<p class="sentence">${inWords(untrustedText(shownReason({ verdict, expected: view.claim, reasonText: view.sentence })))}</p>
${differences(view)}${compared(view)}<p class="advice" role="status"${laterText(later === null ? undefined : adviceOn(view, later))}>${isCorrected ? CORRECTED : wholeTimes(adviceOn(view, shown))}</p>
<dl>
<dt>Endpoint</dt><dd><code>${method} ${breakable(url, URL_MAX_CHARS)}</code></dd>
<dt>Asks</dt><dd>${asked(view)}</dd>
<dt>Checked</dt><dd>${shownTime(checkedAt)}, ${age(checkedAt, now)}</dd>
${wanted(view)}<dt>Reason</dt><dd><code>${code}</code></dd>
</dl>
</div>
</section>`;
}

const URL_MAX_CHARS = 160;
/** Longer than any word; the code of a network has no place to break of its own. */
const WORD_MAX_CHARS = 24;

function inWords(sentence: string): readonly (Html | string)[] {
  return sentence.split(' ').map((word) => html`${word.length > WORD_MAX_CHARS ? hashText(word) : word} `);
}

const TIME = /(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC)/;

/** A time does not break at the hyphens of its date. */
function wholeTimes(text: string): readonly (Html | string)[] {
  return text.split(TIME).map((part) => (TIME.test(part) ? html`<span class="whole">${part}</span>` : part));
}

/** What the card becomes at the deadline while the page is open; null if it stays. */
function laterOf(view: ReceiptView, shown: ShownVerdict, isCorrected: boolean): ShownVerdict | null {
  if (view.approved === null || shown.tone === 'expired' || isCorrected) return null;
  return shownVerdict(view, view.approved.deadline, false);
}

/** For the script: when the card changes, and to which title. Clocks of browsers are slow at times, so it also gets ours. */
function deadlineOf({ approved }: ReceiptView, now: Date, later: ShownVerdict | null): Html | string {
  if (approved === null || later === null) return '';
  return html` data-deadline="${approved.deadline.toISOString()}" data-now="${now.toISOString()}" data-over="card ${later.tone}" data-title="${later.headline} · Assay"`;
}

/** What the script shows after the deadline is no text of the page before it. */
function laterText(text: string | undefined): Html | string {
  return text === undefined ? '' : html` data-later="${text}"`;
}

function icons({ tone }: ShownVerdict, later: ShownVerdict | null): Html {
  if (later === null) return verdictIcon(tone);
  return html`<span data-before>${verdictIcon(tone)}</span><span data-after hidden>${verdictIcon(later.tone)}</span>`;
}

function compared(view: ReceiptView): Html | string {
  const same = sameTerms(view);
  return same === '' ? '' : html`<p class="compared">${same}</p>\n`;
}

function asked({ quoted, network }: ReceiptView): Html | string {
  const price = dollars(quoted);
  if (price === null) return 'no readable price';
  return network === null ? price : html`${price} in USDC on ${networkName(network)}`;
}

/** Names of parameters have a shape that we checked; they are a stranger's all the same. */
function wanted({ needsInput, otherMethod }: ReceiptView): Html | string {
  if (otherMethod !== null) return html`<dt>Try</dt><dd><code>${otherMethod}</code></dd>\n`;
  if (needsInput === null) return '';
  const { tried, missing } = needsInput;
  const names = missing.map((name) => html`<code>${untrustedText(name, 40)}</code> `);
  return html`<dt>Wants</dt><dd>${missing.length === 0 ? 'input that it does not name' : names}</dd>
<dt>Sent</dt><dd>${TRIED[tried]}</dd>
`;
}

const TRIED: Readonly<Record<NeedsInput['tried'], string>> = {
  bare: 'no input',
  caller: "the caller's input",
  listing_example: "the listing's example",
  listing_schema: "an input built from the listing's schema",
};
