import { html } from 'hono/html';
import type { FreeQuota } from '../../core/access/admission.ts';
import { SPOT_CHECK_PRICE_MAX, SPOT_CHECK_PRICE_MIN, URL_MAX_BYTES } from '../../core/limits.ts';
import { MAINNETS } from '../../core/x402/networks.ts';
import type { CheckForm } from '../../wire/requests/check-form.ts';
import type { Html } from '../frame/layout.ts';
import { untrustedText } from '../frame/untrusted-text.ts';
import { dollars } from '../receipt/receipt-view.ts';

export const CHECK_PATH = '/check';

export const EMPTY_FORM: CheckForm = {
  url: '',
  claimed_price: '',
  pay_to: '',
  network: '',
  method: '',
  mode: '',
};

/** Free calls left today. */
export interface FreeShares {
  readonly checks: FreeQuota;
  readonly dryRuns: FreeQuota;
  /** False without a wallet: then no price is shown. */
  readonly sells: boolean;
}

export interface FormFault {
  readonly field: string;
  readonly message: string;
}

export interface CheckFormParts {
  readonly form: CheckForm;
  readonly left: FreeShares | null;
  readonly fault: FormFault | null;
}

/** One input; everything else is one click away. Sent by POST, so that following a link cannot use a free check. */
export function checkForm({ form, left, fault }: CheckFormParts): Html {
  const opened = [form.claimed_price, form.pay_to, form.network, form.method].some((text) => text !== '');
  return html`<form class="check" method="post" action="${CHECK_PATH}" data-progress>
<label for="url">Endpoint URL</label>
<input id="url" name="url" type="text" inputmode="url" autocomplete="off" autocapitalize="none" spellcheck="false"
 required maxlength="${URL_MAX_BYTES}" placeholder="https://…" value="${untrustedText(form.url, URL_MAX_BYTES)}"${faulty(fault, 'url')}>
${faultLine(fault, 'url')}
<p class="hint">The receipt is public and shows the URL. Leave out keys, tokens and personal data.</p>
<details${opened || (fault !== null && fault.field !== 'url') ? html` open` : ''}>
<summary>What do you expect? Price, payee, network, method</summary>
${expectations(form, fault)}
</details>
${buttons(left)}
<p class="quota">${quotaWords(left)}</p>
${PROGRESS}
</form>`;
}

function expectations(form: CheckForm, fault: FormFault | null): Html {
  return html`<p class="hint">Empty fields are filled from the public lists, if they list the endpoint.</p>
<div class="fields">
<p><label for="claimed_price">Price in USD</label>
<input id="claimed_price" name="claimed_price" inputmode="decimal" autocomplete="off" placeholder="0.01" maxlength="32" value="${untrustedText(form.claimed_price, URL_MAX_BYTES)}"${faulty(fault, 'claimed_price')}>
${faultLine(fault, 'claimed_price')}</p>
<p><label for="network">Network</label>
<select id="network" name="network"${faulty(fault, 'network')}>
<option value="">any</option>
${MAINNETS.map(({ name, network }) => option(network, name, form.network))}</select>
${faultLine(fault, 'network')}</p>
<p><label for="method">Method</label>
<select id="method" name="method"${faulty(fault, 'method')}>
${['GET', 'POST'].map((method) => option(method, method, form.method))}</select>
${faultLine(fault, 'method')}</p>
<p class="wide"><label for="pay_to">Payee</label>
<input id="pay_to" name="pay_to" autocomplete="off" spellcheck="false" placeholder="0x… or a Solana address" maxlength="128" value="${untrustedText(form.pay_to, URL_MAX_BYTES)}"${faulty(fault, 'pay_to')}>
${faultLine(fault, 'pay_to')}</p>
</div>`;
}

function option(value: string, name: string, chosen: string): Html {
  return html`<option value="${value}"${value === chosen ? html` selected` : ''}>${name}</option>
`;
}

function faulty(fault: FormFault | null, field: string): Html | string {
  return fault?.field === field ? html` aria-invalid="true" aria-describedby="${field}-fault"` : '';
}

function faultLine(fault: FormFault | null, field: string): Html | string {
  return fault?.field === field ? html`<span class="fault" id="${field}-fault">${fault.message}</span>` : '';
}

/** The free action comes first: the check while one is left, then the dry run. */
function buttons(left: FreeShares | null): Html {
  const isFree = left === null || left.checks.remaining > 0;
  const check = html`<button name="mode" value="live"${isFree ? html` class="first"` : ''}>${isFree || !left.sells ? 'Check' : 'Show the price of a check'}</button>`;
  const dryRun = html`<button name="mode" value="dry-run"${isFree ? '' : html` class="first"`}>Dry run</button>`;
  return html`<p class="buttons">${isFree ? [check, ' ', dryRun] : [dryRun, ' ', check]}</p>`;
}

const PRICE_WORDS = html`Further checks cost a tenth of what the endpoint asks, ${dollars(SPOT_CHECK_PRICE_MIN)} to ${dollars(SPOT_CHECK_PRICE_MAX)}:
<a href="/docs#paying">how to pay</a>. `;

function quotaWords(left: FreeShares | null): Html | string {
  if (left === null) return 'Your remaining free checks cannot be shown at the moment.';
  const { checks, dryRuns, sells } = left;
  const runs = html`<strong>${dryRuns.remaining}</strong> of ${dryRuns.perDay} dry runs`;
  if (checks.remaining > 0) {
    return html`Left today: <strong>${checks.remaining}</strong> of ${checks.perDay} free checks and ${runs}. Both send one unpaid request and
store a public receipt with the URL. A dry run is never an approval.`;
  }
  return html`Today's free check is used; ${runs} are left. A dry run sends the same unpaid request and stores a public receipt, but is
never an approval. ${sells ? PRICE_WORDS : ''}Free again at 00:00 UTC.`;
}

/** Shown by the script until the answer arrives. */
const PROGRESS = html`<div class="progress" role="status" hidden>
<p><strong>Probing the endpoint without paying.</strong> It has 5 seconds to respond<span data-elapsed></span>.</p>
<ol><li>Resolve the name and connect</li><li>Send one unpaid request</li><li>Read the 402</li><li>Compare and store a receipt</li></ol>
<progress aria-label="Waiting for the endpoint"></progress>
</div>`;
