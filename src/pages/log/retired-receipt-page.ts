import { html } from 'hono/html';
import { layout } from '../frame/layout.ts';

/** The 410 page of a receipt whose week was moved into an archive that has no public address. */
export async function retiredReceiptPage(id: string): Promise<string> {
  const body = html`<h1>This receipt is in the archive</h1>
<p><code>${id}</code> is no longer served: the operator has moved its week into an archive. Nothing of it was changed or withdrawn.</p>
<p>Its hash stays in the <a href="/log/checkpoint">log</a>. Anyone who has the statement can still prove that it was ours.</p>`;
  return String(await layout({ title: 'Archived receipt', body }));
}
