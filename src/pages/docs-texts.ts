import { html } from 'hono/html';
import { QUOTE_SECONDS } from '../core/limits.ts';
import { codeBlock } from './frame/code-block.ts';
import type { Html } from './frame/layout.ts';

export const ROUTERS = html`<h2 id="routers">For routers and wallets</h2>
<ol>
<li>Ask before you sign, with what you expect: <code>claimed_price</code>, <code>pay_to</code>, <code>network</code>. What you leave out is taken from the public
lists.</li>
<li>Go on only with <code>pay</code>. Build the payment from the approved terms, not from a 402 that you read yourself.</li>
<li>Compare <code>payment_terms_sha256</code> with the SHA-256 of <code>network|asset|amount_atomic|pay_to</code>, all in lower case, of what you are about to sign.</li>
<li>Sign before <code>deadline</code>. After it, ask again.</li>
<li>Keep <code>receipt_url</code> beside the payment: it shows later why you paid.</li>
</ol>
<p>A dry run (<code>mode=dry-run</code>) is for trying out. It is never an approval, and its answer has no hash.</p>`;

export function sellers(base: string, contact: string | null): Html {
  const query = '?url=https://api.example.com/data';
  const markup = `<a href="${base}/${query}"><img src="${base}/badge.svg${query}" alt="Assay verdict"></a>`;
  return html`<h2 id="sellers">For sellers: my endpoint is on the skip list, what now?</h2>
<ol>
<li>Open its receipt. The table shows what a list claims beside what your 402 asks, and the rule that failed says what to mend.</li>
<li>If the list is wrong, correct your entry there; we read the lists anew every week and never edit them. If your 402 is wrong, correct
that.</li>
<li>Check again, on <a href="/">the front page</a> or from the receipt. The newest decision counts; the skip list itself follows with the next crawl.</li>
</ol>
<p>Nobody can buy a verdict, and nobody's entry can be taken off by asking. ${contactWords(contact)}</p>
<p>A badge shows the latest verdict of a live check or the crawl. It never sends a request to your endpoint, and checks against a
claim of somebody's own do not count for it:</p>
${codeBlock(markup, 'the markup of the badge')}`;
}

function contactWords(contact: string | null): Html | string {
  if (contact === null) return 'If we read your 402 wrongly, tell the operator of this service.';
  return html`If we read your 402 wrongly, <a href="${contact}">tell us</a> and send the receipt.`;
}

export const PAYING = html`<h2 id="paying">How to pay</h2>
<p>When nothing is free any more, the answer is HTTP 402 with the payment requirement in its body and in the header
<code>PAYMENT-REQUIRED</code>: x402 version 2, scheme <code>exact</code>, USDC on Base. Sign it, and repeat the request with the header
<code>PAYMENT-SIGNATURE</code>. Any x402 client does that by itself. A price of a check is good for ${QUOTE_SECONDS / 60} minutes.</p>
<p>One payment buys one answer: the same payment with the same request brings the same answer again, for 24 hours, and is never charged
twice. A target that cannot be heard costs nothing. Most clients refuse more than one dollar unless they are told otherwise, which
matters for the setup pack only. This site takes no payment itself.</p>`;

export const PRIVACY = html`<h2 id="privacy">Privacy</h2>
<ul>
<li>Every check leaves a public receipt, for ever: the URL, what was expected, what was found. What looks like a key or a token in the URL is
hidden, and a URL with a password is refused.</li>
<li>A receipt never holds who asked: no name, no address, no payer.</li>
<li>Of your network address only a keyed hash is kept, to count free calls. There are no cookies, and nothing on these pages comes from
elsewhere.</li>
<li>The endpoint sees our address, not yours.</li>
</ul>`;
