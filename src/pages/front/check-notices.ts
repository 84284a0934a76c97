import { html } from 'hono/html';
import { SPOT_CHECK_PRICE_MAX, SPOT_CHECK_PRICE_MIN } from '../../core/limits.ts';
import type { MicroUsd } from '../../core/money/micro-usd.ts';
import { reasonWords } from '../../core/verdict/reason-words.ts';
import type { CheckForm } from '../../wire/requests/check-form.ts';
import { codeBlock } from '../frame/code-block.ts';
import { curlCommand } from '../frame/curl-command.ts';
import type { Html } from '../frame/layout.ts';
import { verdictIcon } from '../frame/verdict-mark.ts';
import { dollars } from '../receipt/receipt-view.ts';
import { CHECK_PATH, type FormFault } from './check-form.ts';

/** A form that cannot be read; the field says the rest. */
export function faultNotice({ message }: FormFault): Html {
  return html`<div class="notice" role="alert"><p><strong>Nothing was checked.</strong> ${message}</p></div>`;
}

/** A skip without a receipt: nothing was fetched, counted or stored. */
export function blockedNotice(): Html {
  return html`<section class="card skip" aria-label="Verdict" role="alert">
<p class="verdict">${verdictIcon('skip')} <strong>skip</strong></p>
<div><p class="sentence">${reasonWords({ verdict: 'skip', reason: 'ssrf_blocked' })}</p>
<p>Do not pay it: it does not lead to the public web. Nothing was counted, and there is no receipt.</p>
<dl><dt>Reason</dt><dd><code>ssrf_blocked</code></dd></dl></div>
</section>`;
}

const LIMITS: Readonly<Record<'dry_runs' | 'target' | 'quotes', string>> = {
  dry_runs: 'Your dry runs of today are used up; nothing was sent.',
  target: 'This endpoint was asked too often just now, by whomever; nothing was sent and nothing counted.',
  quotes: 'Too many prices were asked for without paying; nothing was sent.',
};

export function limitNotice(by: keyof typeof LIMITS, retryAfterSeconds: number): Html {
  return html`<div class="notice" role="alert"><p><strong>Not now.</strong> ${LIMITS[by]} Try again in ${duration(retryAfterSeconds)}.</p></div>`;
}

function duration(seconds: number): string {
  if (seconds < 120) return `${seconds} seconds`;
  if (seconds < 7_200) return `${Math.ceil(seconds / 60)} minutes`;
  return `${Math.ceil(seconds / 3_600)} hours`;
}

/** The price of a check, and what costs nothing instead. */
export function priceNotice(price: MicroUsd, form: CheckForm, spotCheck: string): Html {
  const command = curlCommand(spotCheck, { ...form, mode: '' });
  return html`<section class="notice" role="alert" aria-label="Price">
<p><strong>This check costs ${dollars(price)}.</strong> Your free check of today is used, so nothing was decided. The price is a tenth of what the
endpoint asks, ${dollars(SPOT_CHECK_PRICE_MIN)} at least and ${dollars(SPOT_CHECK_PRICE_MAX)} at most, and good for five minutes.</p>
${dryRunButton(form)}
<p>A wallet for agents pays it: send this request, sign what its 402 asks, and send it again with the header
<code>PAYMENT-SIGNATURE</code>. <a href="/docs#paying">How to pay</a>.</p>
${codeBlock(command, 'the command')}
</section>`;
}

export function unsellableNotice(form: CheckForm): Html {
  return html`<section class="notice" role="alert" aria-label="Price">
<p><strong>Your free check of today is used.</strong> This service has no wallet to be paid to, so it sells none. Free again at 00:00 UTC.</p>
${dryRunButton(form)}
</section>`;
}

/** What came from elsewhere spends nothing of the visitor's; pressing the button here does. */
export function elsewhereNotice(): Html {
  return html`<div class="notice" role="alert"><p><strong>Nothing was checked.</strong> This came from another site, which must not
use your free check. The form is filled in: press the button to go on.</p></div>`;
}

function dryRunButton(form: CheckForm): Html {
  const fields = Object.entries({ ...form, mode: 'dry-run' }).filter(([, text]) => text !== '');
  return html`<form method="post" action="${CHECK_PATH}">
${fields.map(([name, text]) => html`<input type="hidden" name="${name}" value="${text}">\n`)}<p><button class="first">Dry run, free of charge</button></p>
</form>`;
}
