import { html } from 'hono/html';

/** Shown with every verdict: the limits of one unpaid request. */
export const LIMITS_OF_A_CHECK = html`<ul>
<li>That the seller delivers, or delivers something useful. Nothing was bought; <a href="/catalog">the catalog</a> has what our own paid calls have shown, where we made some.</li>
<li>That the endpoint will give you the same response. It was one look, at one time, from one location.</li>
<li>That the price is fair. It is compared with the listed or expected price only.</li>
<li>Who owns the payee address. Addresses are compared, not people.</li>
</ul>`;
