import { html } from 'hono/html';

/** Said wherever a verdict is shown: one unpaid look is no more than that. */
export const LIMITS_OF_A_CHECK = html`<ul>
<li>That the goods are good, or come at all. Nothing was bought; <a href="/catalog">the catalog</a> has the services that we pay ourselves.</li>
<li>That the endpoint answers you the way it answered us. It was one request, at one moment, from one place.</li>
<li>That the price is fair. It is compared with what was listed or expected, and with nothing else.</li>
<li>Who is behind the payee. An address is compared, not a person.</li>
</ul>`;
