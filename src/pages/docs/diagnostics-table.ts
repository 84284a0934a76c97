import { html } from 'hono/html';
import { DIAGNOSTICS, type DiagnosticCode } from '../../core/diagnose/diagnostic.ts';
import type { Html } from '../frame/layout.ts';

/** The fragment of a code on the docs page; rules and sections have ids of their own there. */
export function diagnosticAnchor(code: DiagnosticCode): string {
  return `fix-${code}`;
}

// The keys of the table are exactly the codes.
const CODES = Object.keys(DIAGNOSTICS) as DiagnosticCode[];

/** Everything that can be said about a 402, from the table that receipts are made with. */
export function diagnosticsTable(): Html {
  return html`<h2 id="diagnostics">What to fix in a 402</h2>
<p>A receipt of a refused 402 has <code>diagnostics</code>: a code, the JSON path in the header or the body, the problem and
the fix. An error is a reason not to pay. A warning does not change the verdict, but stops some clients.</p>
<table class="rows codes">
<thead><tr><th scope="col">Code</th><th scope="col">Problem</th><th scope="col">Fix</th></tr></thead>
<tbody>
${CODES.map((code) => {
  const { level, problem, fix } = DIAGNOSTICS[code];
  return html`<tr id="${diagnosticAnchor(code)}"><td><code>${code}</code>${level === 'warning' ? ' (warning)' : ''}</td>
<td data-label="Problem">${problem}</td><td data-label="Fix">${fix}</td></tr>
`;
})}</tbody>
</table>`;
}
