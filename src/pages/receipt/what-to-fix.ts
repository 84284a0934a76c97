import { html } from 'hono/html';
import { DIAGNOSTICS, type Diagnostic } from '../../core/diagnose/diagnostic.ts';
import { diagnosticAnchor } from '../docs/diagnostics-table.ts';
import type { Html } from '../frame/layout.ts';

const SOURCES: Readonly<Record<Diagnostic['source'], string>> = {
  answer: 'the response',
  header: 'the header PAYMENT-REQUIRED',
  body: 'the body',
};

/** For the seller: each fault of the 402 with its place and its remedy. Empty when there is none. */
export function whatToFix(diagnostics: readonly Diagnostic[]): Html | string {
  if (diagnostics.length === 0) return '';
  return html`<h2 id="fix">What to fix</h2>
<ul class="fixes">
${diagnostics.map(
  ({
    code,
    source,
    path,
  }) => html`<li class="${DIAGNOSTICS[code].level}"><strong>${DIAGNOSTICS[code].problem}</strong>${DIAGNOSTICS[code].level === 'warning' ? ' (warning)' : ''}
<span class="where">${path === null ? '' : html`<code>${path}</code> in `}${SOURCES[source]}, <a href="/docs#${diagnosticAnchor(code)}"><code>${code}</code></a></span>
<span class="remedy">${DIAGNOSTICS[code].fix}</span></li>
`,
)}</ul>`;
}
