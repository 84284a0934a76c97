import { html } from 'hono/html';
import type { CheckStep, StepState } from '../../core/receipt/check-steps.ts';
import type { Html } from '../frame/layout.ts';
import { RULE_TEXTS } from './rule-texts.ts';

/** What did not fail, folded: the line that stands for all rules with this result. */
const FOLDED: readonly (readonly [state: Exclude<StepState, 'fail'>, words: string])[] = [
  ['pass', 'passed'],
  ['not_compared', 'not applied: nothing to compare with'],
  ['not_reached', 'not reached, because another rule failed first'],
];

/** Every rule of the judge with its result, what it is good for and what the seller can do; the failed one first. */
export function stepsTable(steps: readonly CheckStep[] | null): Html {
  if (steps === null) return html`<p>The crawl does not store enough to show which rule failed.</p>`;
  const known = steps.filter(({ state }) => state === 'pass' || state === 'fail');
  const passed = known.filter(({ state }) => state === 'pass').length;
  return html`<p>${passed} of ${known.length} applied rules passed.</p>
${steps.filter(({ state }) => state === 'fail').map(failed)}${FOLDED.map(([state, words]) =>
  folded(
    steps.filter((step) => step.state === state),
    words,
  ),
)}`;
}

function failed({ rule }: CheckStep): Html {
  const { why } = RULE_TEXTS[rule.id];
  return html`<section class="rule fail" id="rule-${rule.id}">
<h3>Failed: ${rule.demand}</h3>
<dl>
<dt>Code</dt><dd><a href="/docs#${rule.id}"><code>${rule.reason}</code></a></dd>
<dt>Why the rule exists</dt><dd>${why}</dd>
</dl>
<p><a href="#fix">What to fix</a></p>
</section>
`;
}

function folded(steps: readonly CheckStep[], words: string): Html | string {
  if (steps.length === 0) return '';
  return html`<details class="rules">
<summary>${steps.length} ${steps.length === 1 ? 'rule' : 'rules'} ${words}</summary>
<table class="steps rows">
<thead><tr><th scope="col">Rule</th><th scope="col">Why it exists</th><th scope="col">For the seller</th></tr></thead>
<tbody>
${steps.map(
  ({ rule, state }) => html`<tr class="${state}" id="rule-${rule.id}"><th scope="row">${rule.demand}</th>
<td data-label="Why">${RULE_TEXTS[rule.id].why}</td><td data-label="Seller">${RULE_TEXTS[rule.id].fix}</td></tr>
`,
)}</tbody>
</table>
</details>
`;
}
