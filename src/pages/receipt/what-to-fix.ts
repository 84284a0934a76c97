import { html } from 'hono/html';
import { DIAGNOSTICS, type Diagnostic } from '../../core/diagnose/diagnostic.ts';
import { diagnosticAnchor } from '../docs/diagnostics-table.ts';
import type { Html } from '../frame/layout.ts';
import type { ReceiptView } from './receipt-view.ts';
import { RULE_TEXTS } from './rule-texts.ts';

const SOURCES: Readonly<Record<Diagnostic['source'], string>> = {
  answer: 'the response',
  header: 'the header PAYMENT-REQUIRED',
  body: 'the body',
};

/** Shown without unfolding. */
const OPEN_MAX = 8;

/** For the seller: each fault of the 402 with its place and its remedy, else that of the failed rule. Empty when nothing failed. */
export function whatToFix({ diagnostics, steps }: Pick<ReceiptView, 'diagnostics' | 'steps'>): Html | string {
  if (diagnostics.length === 0) return fixOfRule(steps);
  // Errors first: warnings do not change the verdict.
  const sorted = [...diagnostics.filter(isError), ...diagnostics.filter((one) => !isError(one))];
  const more = sorted.slice(OPEN_MAX);
  return html`<h2 id="fix">What to fix</h2>
<ul class="fixes">
${sorted.slice(0, OPEN_MAX).map(fault)}</ul>
${
  more.length === 0
    ? ''
    : html`<details><summary>${more.length} more</summary>
<ul class="fixes">
${more.map(fault)}</ul>
</details>`
}`;
}

function fixOfRule(steps: ReceiptView['steps']): Html | string {
  const failed = steps?.find(({ state }) => state === 'fail');
  if (failed === undefined) return '';
  const { id } = failed.rule;
  return html`<h2 id="fix">What to fix</h2>
<p><strong>For the seller:</strong> ${RULE_TEXTS[id].fix} <a href="#rule-${id}">Why the rule exists</a></p>`;
}

function isError({ code }: Diagnostic): boolean {
  return DIAGNOSTICS[code].level === 'error';
}

function fault({ code, source, path }: Diagnostic): Html {
  const { level, problem, fix } = DIAGNOSTICS[code];
  return html`<li class="${level}"><strong>${problem}</strong>${level === 'warning' ? ' (warning)' : ''}
<span class="where">${path === null ? '' : html`<code>${path}</code> in `}${SOURCES[source]}, <a href="/docs#${diagnosticAnchor(code)}"><code>${code}</code></a></span>
<span class="remedy">${fix}</span></li>
`;
}
