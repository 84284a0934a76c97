import { html } from 'hono/html';
import { formatUsd } from '../../core/money/micro-usd.ts';
import { isRedacted } from '../../core/url/redact-url.ts';
import { parseTargetUrl } from '../../core/url/target-url.ts';
import { isAnyAddress } from '../../core/x402/address.ts';
import type { CheckForm } from '../../wire/requests/check-form.ts';
import type { Html } from '../frame/layout.ts';
import { shownTime } from '../frame/shown-time.ts';
import { CHECK_PATH } from '../front/check-form.ts';
import type { ReceiptView } from './receipt-view.ts';

/** The form that repeats this check. Claims of a listing are left out: the service uses the latest ones. */
export function formOf({ url, method, claim, claimedBy }: ReceiptView): Omit<CheckForm, 'mode'> {
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

export function checkAgain(view: ReceiptView): Html {
  if (isRedacted(view.url)) {
    return html`<p>Part of this URL is redacted because receipts are public. <a href="/">Enter the whole URL</a> to check it again.</p>`;
  }
  const fields = Object.entries(formOf(view)).filter(([, text]) => text !== '');
  const { probe } = view;
  return html`<form class="again" method="post" action="${CHECK_PATH}" data-progress>
${fields.map(([name, text]) => html`<input type="hidden" name="${name}" value="${text}">\n`)}<p class="buttons"><button class="first" name="mode" value="live"${probe === null ? '' : html` data-until="${probe.until.toISOString()}"`}>Check again</button>
<button name="mode" value="dry-run">Dry run</button></p>
<p class="quota">Both send one unpaid request and store a public receipt. A dry run is never an approval.</p>
${probe === null ? '' : html`<p class="quota">The endpoint was probed at ${shownTime(probe.at)}. Until ${shownTime(probe.until)} a check reuses that result.</p>`}
</form>`;
}
