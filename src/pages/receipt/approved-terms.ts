import { html } from 'hono/html';
import { formatUsd } from '../../core/money/micro-usd.ts';
import type { Terms } from '../../core/x402/terms.ts';
import { paymentJson } from '../../wire/payment/payment-object.ts';
import { copyButton } from '../frame/copy-button.ts';
import type { Html } from '../frame/layout.ts';
import { shownTime } from '../frame/shown-time.ts';
import { walletAddress } from '../frame/wallet-address.ts';

/** Everything that may be signed, and until when. */
export function approvedTerms(terms: Terms, sha256: string | null, now: Date): Html {
  const { network, asset, amountAtomic, payTo, deadline, scheme } = terms;
  const isOver = deadline <= now;
  return html`<section class="sign${isOver ? ' over' : ''}" aria-labelledby="sign" data-deadline="${deadline.toISOString()}">
<h2 id="sign">Sign exactly this</h2>
<p class="deadline">${isOver ? html`<strong>Expired.</strong> These terms were valid until ` : 'Until '}${shownTime(deadline)}<span data-left role="timer"></span>.</p>
<dl>
<dt>Amount</dt><dd>$${formatUsd(amountAtomic)} = <code>${String(amountAtomic)}</code> atomic units ${copyButton(String(amountAtomic), 'the amount')}</dd>
<dt>Payee</dt><dd>${walletAddress(payTo, network, 'the payee')}</dd>
<dt>Token</dt><dd>USDC ${walletAddress(asset, network, 'the token')}</dd>
<dt>Network</dt><dd><code>${network}</code></dd>
<dt>Scheme</dt><dd><code>${scheme}</code></dd>
${sha256 === null ? '' : html`<dt>SHA-256 of the terms</dt><dd><code>${sha256}</code> ${copyButton(sha256, 'the hash')}</dd>`}
</dl>
<p>Nothing else is approved. Another amount, payee, token or network is another payment.</p>
<p>${copyButton(JSON.stringify(paymentJson(terms), null, 2), 'the payment', 'Copy as JSON')}</p>
</section>`;
}
