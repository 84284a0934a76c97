import { html } from 'hono/html';
import type { CheckStep, StepState } from '../../core/receipt/check-steps.ts';
import type { Html } from '../frame/layout.ts';

const WORDS: Readonly<Record<StepState, string>> = {
  pass: 'pass',
  fail: 'fail',
  not_compared: 'unknown: nothing to compare with',
  not_reached: 'unknown: not reached',
};

/** Every rule of the judge with its result. */
export function stepsTable(steps: readonly CheckStep[] | null): Html {
  if (steps === null) return html`<p>The crawl does not store enough to show which rule failed.</p>`;
  const known = steps.filter(({ state }) => state === 'pass' || state === 'fail');
  const passed = known.filter(({ state }) => state === 'pass').length;
  return html`<table class="steps rows">
<caption>${passed} of ${known.length} applied rules passed; unknown ones are not counted.</caption>
<thead><tr><th scope="col">Rule</th><th scope="col">Result</th></tr></thead>
<tbody>
${steps.map(
  ({
    rule,
    state,
  }) => html`<tr class="${state}" id="rule-${rule.id}"><td>${rule.demand}</td><td>${WORDS[state]}${state === 'fail' ? html`<span> (<code>${rule.reason}</code>)</span>` : ''}</td></tr>
`,
)}</tbody>
</table>`;
}
