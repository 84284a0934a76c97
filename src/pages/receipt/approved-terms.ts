import { html } from 'hono/html';
import { formatUsd } from '../../core/money/micro-usd.ts';
import type { Terms } from '../../core/x402/terms.ts';
import { paymentJson } from '../../wire/payment/payment-object.ts';
import { hashText } from '../frame/breakable.ts';
import { copyButton } from '../frame/copy-button.ts';
import type { Html } from '../frame/layout.ts';
import { networkName } from '../frame/network-name.ts';
import { shownSecond } from '../frame/shown-time.ts';
import { payeeAddress, walletAddress } from '../frame/wallet-address.ts';

/** Everything that may be signed, and until when. */
export function approvedTerms(terms: Terms, sha256: string | null, now: Date): Html {
  const { network, asset, amountAtomic, payTo, deadline, scheme } = terms;
  const isOver = deadline <= now;
  return html`<section class="sign${isOver ? ' over' : ''}" aria-labelledby="sign"${isOver ? '' : html` data-deadline="${deadline.toISOString()}" data-over="sign over"`}>
<h2 id="sign"${isOver ? '' : html` data-later="${OVER}"`}>${isOver ? OVER : 'Sign exactly this'}</h2>
<p class="deadline">${isOver ? html`These terms were valid until ` : 'Until '}${shownSecond(deadline)}${isOver ? '' : html`<span data-left role="timer"></span>`}.</p>
<dl>
<dt>Amount</dt><dd>$${formatUsd(amountAtomic)} = <code>${String(amountAtomic)}</code> atomic units</dd>
<dt>Payee</dt><dd>${payeeAddress(payTo, network, 'the payee')}</dd>
<dt>Token</dt><dd>USDC ${walletAddress(asset, network)}</dd>
<dt>Network</dt><dd>${networkName(network)}</dd>
<dt>Scheme</dt><dd><code>${scheme}</code></dd>
${sha256 === null ? '' : html`<dt>SHA-256 of the terms</dt><dd><code>${hashText(sha256)}</code></dd>`}
</dl>
<p>Nothing else is approved. Another amount, payee, token or network is another payment.</p>
${isOver ? '' : html`<p class="payment">${copyButton(JSON.stringify(paymentJson(terms), null, 2), 'the payment as JSON', 'Copy as JSON')}</p>`}
</section>`;
}

const OVER = 'Expired: do not sign';
