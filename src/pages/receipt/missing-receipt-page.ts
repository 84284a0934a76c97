import { html } from 'hono/html';
import { layout } from '../frame/layout.ts';
import { checkForm, EMPTY_FORM, type FreeShares } from '../front/check-form.ts';

/** For somebody who followed a link to a receipt that is not there. */
export async function missingReceiptPage(left: FreeShares | null): Promise<string> {
  const body = html`<h1>No receipt has this id</h1>
<p>An id is <code>sc-</code> and 16 hexadecimal characters for a check, or 10 for the weekly crawl, all in lower case. Receipts are never removed, so
look for a letter that was lost on the way.</p>
<p>Or check the endpoint now:</p>
${checkForm({ form: EMPTY_FORM, left, fault: null })}
<p><a href="/v1/skips">All endpoints to skip</a> · <a href="/v1/receipts?type=live">The latest checks, in JSON</a></p>`;
  return String(await layout({ title: 'No such receipt', body, scripted: true }));
}
