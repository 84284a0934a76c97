import { html } from 'hono/html';
import { PROBLEM_GUIDE } from '../../wire/openapi/problem-guide.ts';
import { PROBLEMS } from '../../wire/responses/problem.ts';
import { layout } from '../frame/layout.ts';

/** What the type of every problem points to. */
export async function problemsPage(): Promise<string> {
  // The keys of a const object are exactly its codes.
  const codes = Object.keys(PROBLEMS) as (keyof typeof PROBLEMS)[];
  const body = html`<h1>Error codes</h1>
<p>Errors are <code>application/problem+json</code> (RFC 9457) with a stable <code>code</code>, the request id in
<code>instance</code> and, when one parameter is at fault, its name in <code>field</code>. A 402 is not an error: its body is
the payment requirement.</p>
<table class="rows">
<thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Title</th><th scope="col">What to do</th></tr></thead>
<tbody>
${codes.map((code) => {
  const { status, title } = PROBLEMS[code];
  return html`<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${title}</td><td>${PROBLEM_GUIDE[code].advice}</td></tr>
`;
})}</tbody>
</table>`;
  return String(await layout({ title: 'Error codes', body }));
}
