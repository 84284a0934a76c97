import { html } from 'hono/html';
import { layout } from '../frame/layout.ts';
import { checkForm, EMPTY_FORM, type FreeShares } from '../front/check-form.ts';

/** The 404 page of a receipt link. */
export async function missingReceiptPage(left: FreeShares | null): Promise<string> {
  const body = html`<h1>No receipt has this id</h1>
<p>The link is probably incomplete. The id of a check is <code>sc-</code> and 16 hexadecimal digits; the id of a crawl receipt is 10
hexadecimal digits, all in lower case. A withdrawn receipt has its own page.</p>
<p>Or check the endpoint now:</p>
${checkForm({ form: EMPTY_FORM, left, fault: null })}
<p><a href="/v1/skips">All endpoints to skip</a> · <a href="/v1/receipts?type=live">The latest checks (JSON)</a></p>`;
  return String(await layout({ title: 'No such receipt', body, scripted: true }));
}
