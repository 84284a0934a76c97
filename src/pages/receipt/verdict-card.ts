import { html } from 'hono/html';
import type { NeedsInput } from '../../core/input/needs-input.ts';
import { isUncompared, shownReason } from '../../core/receipt/uncompared.ts';
import type { Html } from '../frame/layout.ts';
import { age, shownTime } from '../frame/shown-time.ts';
import { untrustedText } from '../frame/untrusted-text.ts';
import { type VerdictWord, verdictIcon } from '../frame/verdict-mark.ts';
import { dollars, type ReceiptView } from './receipt-view.ts';

/** What to do now, in one sentence. */
const ADVICE: Readonly<Record<VerdictWord, string>> = {
  pay: 'Sign exactly the terms below, and nothing else.',
  skip: 'Do not pay.',
  recheck: 'No decision. Check again later.',
};

const CORRECTED = 'Do not act on this verdict: it was corrected, see above.';
const NEEDS_INPUT =
  'Nothing was found against it. Check it again with the input that it needs, before you pay.';

/** The verdict as word, icon and colour, the reason in a sentence, the price and the age. */
export function verdictCard(view: ReceiptView, now: Date, isCorrected = false): Html {
  const { verdict, sentence, method, url, code, checkedAt } = view;
  const quoted = dollars(view.quoted);
  // Sound terms that nobody vouches for have neither the colour nor the tick of an approval.
  const isBare = isUncompared({ verdict, expected: view.claim });
  const tone = isBare ? 'recheck' : verdict;
  return html`<section class="card ${tone}" aria-label="Verdict">
<p class="verdict">${verdictIcon(tone)} <strong>${verdict}${isBare ? ', nothing compared' : ''}</strong></p>
<div>
<p class="sentence">${untrustedText(shownReason({ verdict, expected: view.claim, reasonText: sentence }))}</p>
<p>${isCorrected ? CORRECTED : adviceOn(view, now)}</p>
<dl>
<dt>Endpoint</dt><dd><code>${method} <bdi>${untrustedText(url, 160)}</bdi></code></dd>
<dt>Asks</dt><dd>${quoted === null ? 'no readable price' : quoted}</dd>
<dt>Checked</dt><dd>${shownTime(checkedAt)}, ${age(checkedAt, now)}</dd>
<dt>Reason</dt><dd><code>${code}</code></dd>
${wanted(view)}</dl>
</div>
</section>`;
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

/** A dry run approves nothing, and neither do expired terms. */
function adviceOn({ verdict, kind, approved, needsInput }: ReceiptView, now: Date): string {
  if (needsInput !== null) return NEEDS_INPUT;
  if (verdict !== 'pay') return ADVICE[verdict];
  if (kind === 'dry-run') return 'A dry run is never an approval. Run a live check before you pay.';
  if (approved === null) return 'A crawl receipt is never an approval. Run a live check before you pay.';
  return approved.deadline > now ? ADVICE.pay : 'These terms have expired. Check again.';
}
