import { html } from 'hono/html';
import { RULES } from '../../core/verdict/rules.ts';
import { VERDICT_OF_REASON } from '../../core/verdict/verdict.ts';
import type { Html } from '../frame/layout.ts';
import { verdictMark } from '../frame/verdict-mark.ts';

/** The rules of the judge, from the table that it is tested against. */
export function rulesTable(): Html {
  return html`<table class="rows rules">
<thead><tr><th scope="col">What must hold</th><th scope="col">Else</th><th scope="col">Code</th></tr></thead>
<tbody>
${RULES.map(
  ({
    id,
    demand,
    reason,
    compares,
  }) => html`<tr id="${id}"><td>${demand}${compares === null ? '' : ` Applies only if ${compares === 'views' ? 'other points of view were asked' : 'an expected value is known'}.`}</td>
<td>${verdictMark(VERDICT_OF_REASON[reason])}</td><td><code>${reason}</code></td></tr>
`,
)}<tr id="price_ok"><td>All rules above hold.</td><td>${verdictMark('pay')}</td><td><code>price_ok</code></td></tr>
</tbody>
</table>`;
}
