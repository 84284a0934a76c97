import { html } from 'hono/html';
import type { Withdrawal } from '../../core/statement/withdrawal-stub.ts';
import { layout } from '../frame/layout.ts';
import { shownTime } from '../frame/shown-time.ts';
import { WITHDRAWAL_WORDS } from './corrections-page.ts';

/** The 410 page of a receipt that was taken back. */
export async function withdrawnReceiptPage({ id, sha256, because, at }: Withdrawal): Promise<string> {
  const body = html`<h1>This receipt was withdrawn</h1>
<p>We removed the text of <code>${id}</code>. ${WITHDRAWAL_WORDS[because]}</p>
<dl class="verify">
<dt>Withdrawn</dt><dd>${shownTime(at)}</dd>
<dt>Reason</dt><dd><code>${because}</code></dd>
<dt>SHA-256 of its statement</dt><dd><code class="hash">${sha256}</code></dd>
</dl>
<p>The hash and the withdrawal stay in the <a href="/log/checkpoint">log</a>. Anyone who has the statement can still prove that it was
ours. <a href="/corrections">How many receipts were withdrawn, and what was corrected</a></p>`;
  return String(await layout({ title: 'Withdrawn receipt', body }));
}
