import { html } from 'hono/html';

/** Shown with every verdict: the limits of one unpaid request. */
export const LIMITS_OF_A_CHECK = html`<ul>
<li>That the seller delivers, or delivers something useful. A check buys nothing. <a href="/catalog">The catalog</a> has the results of our own paid calls, if there are any.</li>
<li>That the endpoint will give you the same response. A check is one request, at one time, from one location.</li>
<li>That the price is fair. It is only compared with the listed or expected price.</li>
<li>Who owns the payee address. Addresses are compared, not people.</li>
</ul>`;
