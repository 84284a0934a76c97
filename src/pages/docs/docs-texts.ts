import { html } from 'hono/html';
import { QUOTE_SECONDS } from '../../core/limits.ts';
import { codeBlock } from '../frame/code-block.ts';
import type { Html } from '../frame/layout.ts';

export const ROUTERS = html`<h2 id="routers">For routers and wallets</h2>
<ol>
<li>Check before you sign, and send what you expect: <code>claimed_price</code>, <code>pay_to</code>, <code>network</code>. Missing values are taken from the public
lists.</li>
<li>Continue only on <code>pay</code>. Build the payment from the approved terms, not from a 402 that you read yourself.</li>
<li>Compare <code>payment_terms_sha256</code> with the SHA-256 of <code>network|asset|amount_atomic|pay_to</code>, all in lower case, of what you are about to sign.</li>
<li>Sign before <code>deadline</code>. After it, check again.</li>
<li>Store <code>receipt_url</code> with the payment: it shows later why you paid.</li>
</ol>
<p>A dry run (<code>mode=dry-run</code>) sends the same unpaid request and stores a public receipt. It is never an approval, and its response has no hash.</p>`;

export function sellers(base: string, contact: string | null): Html {
  const query = '?url=https://api.example.com/data';
  const markup = `<a href="${base}/${query}"><img src="${base}/badge.svg${query}" alt="Assay verdict"></a>`;
  return html`<h2 id="sellers">For sellers: my endpoint is on the skip list</h2>
<ol>
<li>Open its receipt. The table compares the listing with your 402, and names the rule that failed. If the 402 itself is at fault, the receipt lists <a href="#diagnostics">what to fix</a>.</li>
<li>If the list is wrong, correct your entry there: the next crawl reads it, and we never edit a list. If your 402 is wrong, fix
the 402.</li>
<li>Check again on <a href="/">the front page</a> or from the receipt. The newest decision counts. The skip list is updated by the next crawl.
With a key that your host publishes, <a href="/sellers">the endpoint is checked again at once, and you may reply</a>.</li>
</ol>
<p>Verdicts are not for sale, and entries are not removed on request. ${contactWords(contact)}</p>
<p>A badge shows the latest verdict of a live check, the crawl or a re-test. It never sends a request to your endpoint, and ignores checks
with a caller's own claims or input:</p>
${codeBlock(markup, 'the badge markup')}`;
}

function contactWords(contact: string | null): Html | string {
  if (contact === null) return 'If we misread your 402, tell the operator of this service.';
  return html`If we misread your 402, <a href="${contact}">tell us</a> and send the receipt.`;
}

export const PAYING = html`<h2 id="paying">How to pay</h2>
<p>When the free calls are used up, the response is HTTP 402 with the payment requirement in its body and in the header
<code>PAYMENT-REQUIRED</code>: x402 version 2, scheme <code>exact</code>, USDC on Base. Sign it, and repeat the request with the header
<code>PAYMENT-SIGNATURE</code>. x402 clients do this automatically. The price of a check is valid for ${QUOTE_SECONDS / 60} minutes.</p>
<p>One payment buys one response. The same payment with the same request returns the same response for 24 hours and is never charged
twice. A check is not charged if the target times out, fails with HTTP 5xx or cannot be reached. Most clients refuse to pay more than one dollar unless
configured otherwise; this matters for the setup pack only. These pages take no payments.</p>`;

export const PRIVACY = html`<h2 id="privacy">Privacy</h2>
<ul>
<li>Every check, dry runs included, stores a permanent public receipt: the URL, what was expected, what was found. What looks like a key or a token in the URL is
redacted, and a URL with a password is refused.</li>
<li>A receipt never identifies the caller: no name, no address, no payer.</li>
<li>Only a keyed hash of your network address is stored: to count free calls and failed payments, and for a day to recognise you when you ask again for what you bought. These pages use no cookies and load nothing from other
sites.</li>
<li>The endpoint sees our address, not yours.</li>
</ul>`;
