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

/** Invalid form input; the field shows the details. */
export function faultNotice({ message }: FormFault): Html {
  return html`<div class="notice" role="alert"><p><strong>Nothing was checked.</strong> ${message}</p></div>`;
}

/** A skip without a receipt: nothing was fetched, counted or stored. */
export function blockedNotice(): Html {
  return html`<section class="card skip" aria-label="Verdict" role="alert">
<p class="verdict">${verdictIcon('skip')} <strong>skip</strong></p>
<div><p class="sentence">${reasonWords({ verdict: 'skip', reason: 'ssrf_blocked' })}</p>
<p>Do not pay it. It does not lead to the public web. Nothing was counted, and there is no receipt.</p>
<dl><dt>Reason</dt><dd><code>ssrf_blocked</code></dd></dl></div>
</section>`;
}

const LIMITS: Readonly<Record<'dry_runs' | 'target' | 'quotes', string>> = {
  dry_runs: "Today's dry runs are used up. Nothing was sent.",
  target:
    'No further check of this endpoint may start now: a limit of the endpoint, of this service or of one caller is reached. Nothing was sent or counted.',
  quotes: 'Too many price requests without a payment. Nothing was sent.',
};

export function limitNotice(by: keyof typeof LIMITS, retryAfterSeconds: number): Html {
  return html`<div class="notice" role="alert"><p><strong>Limit reached.</strong> ${LIMITS[by]} Try again in ${duration(retryAfterSeconds)}.</p></div>`;
}

function duration(seconds: number): string {
  if (seconds < 120) return `${seconds} seconds`;
  if (seconds < 7_200) return `${Math.ceil(seconds / 60)} minutes`;
  return `${Math.ceil(seconds / 3_600)} hours`;
}

/** The price of a check, and the free alternative. */
export function priceNotice(price: MicroUsd, form: CheckForm, spotCheck: string): Html {
  const command = curlCommand(spotCheck, { ...form, mode: '' });
  return html`<section class="notice" role="alert" aria-label="Price">
<p><strong>This check costs ${dollars(price)}.</strong> Today's free check is used, so there is no verdict. The price is a tenth of what the endpoint
asks, at least ${dollars(SPOT_CHECK_PRICE_MIN)} and at most ${dollars(SPOT_CHECK_PRICE_MAX)}, and valid for five minutes.</p>
${dryRunButton(form)}
<p>To pay with an x402 client: send this request, sign the payment that its 402 asks for, and send it again with the header
<code>PAYMENT-SIGNATURE</code>. <a href="/docs#paying">How to pay</a>.</p>
${codeBlock(command, 'the command')}
</section>`;
}

export function unsellableNotice(form: CheckForm): Html {
  return html`<section class="notice" role="alert" aria-label="Price">
<p><strong>Today's free check is used.</strong> This service has no wallet and cannot sell checks. Free again at 00:00 UTC.</p>
${dryRunButton(form)}
</section>`;
}

/** A form from another site uses nothing of the visitor's quota; the button here does. */
export function elsewhereNotice(): Html {
  return html`<div class="notice" role="alert"><p><strong>Nothing was checked.</strong> The request came from another site, which must not
use your free check. The form is filled in. Press the button to continue.</p></div>`;
}

function dryRunButton(form: CheckForm): Html {
  const fields = Object.entries({ ...form, mode: 'dry-run' }).filter(([, text]) => text !== '');
  return html`<form method="post" action="${CHECK_PATH}">
${fields.map(([name, text]) => html`<input type="hidden" name="${name}" value="${text}">\n`)}<p><button class="first">Free dry run</button>
sends the same unpaid request and stores a public receipt, but is never an approval.</p>
</form>`;
}
