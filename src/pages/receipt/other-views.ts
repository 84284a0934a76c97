import { html } from 'hono/html';
import type { SeenByOther, SeenByOthers } from '../../core/receipt/seen-by-others.ts';
import { hashText } from '../frame/breakable.ts';
import type { Html } from '../frame/layout.ts';
import { networkName } from '../frame/network-name.ts';
import { secondOf } from '../frame/shown-time.ts';
import { untrustedText } from '../frame/untrusted-text.ts';
import { dollars } from './receipt-view.ts';

/** What others saw of the same request, judged by the same rules. No mark of a verdict: the green one is for approvals. */
export function otherViews(others: SeenByOthers | null): Html | string {
  if (others === null) return '';
  const { needed, views } = others;
  return html`<section class="others" aria-labelledby="others">
<h2 id="others">Other points of view</h2>
<p>From a configured price on, a payment is approved only if ${needed === 1 ? 'one other point of view sees' : `${needed} other points of view see`} the same one.
Each sent the same request from its own network and signed what it saw; the statement has the signatures. A view alone approves nothing.</p>
${views.length === 0 ? html`<p>None of them answered in time.</p>` : table(views)}
</section>`;
}

function table(views: readonly SeenByOther[]): Html {
  return html`<table class="rows">
<thead><tr><th scope="col">Seen by</th><th scope="col">At</th><th scope="col">Judged alone</th><th scope="col">Asked for</th><th scope="col">Payee</th></tr></thead>
<tbody>
${views.map(
  ({ vantage, at, verdict, reason, quoted }) => html`<tr><th scope="row">${untrustedText(vantage)}</th>
<td data-label="At">${secondOf(at)}</td>
<td data-label="Judged alone">${verdict}, <code>${reason}</code></td>
<td data-label="Asked for">${quoted === null ? 'nothing' : asked(quoted)}</td>
<td data-label="Payee">${quoted === null ? '' : hashText(quoted.payTo)}</td></tr>
`,
)}</tbody>
</table>`;
}

function asked({ price, network }: NonNullable<SeenByOther['quoted']>): Html {
  const amount = dollars(price) ?? 'an unknown amount';
  return html`${amount} on ${network === null ? 'an unknown network' : networkName(network)}`;
}
