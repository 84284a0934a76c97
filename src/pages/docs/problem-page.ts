import { html } from 'hono/html';
import { PROBLEM_GUIDE } from '../../wire/openapi/problem-guide.ts';
import { PROBLEMS, type Problem, problemJson } from '../../wire/responses/problem.ts';
import { layout } from '../frame/layout.ts';
import { untrustedText } from '../frame/untrusted-text.ts';

/** A problem for people: what is wrong, and what to do. The JSON that a program would get is below it. */
export async function problemPage(
  problem: Problem,
  at: { readonly instance: string; readonly base: string },
): Promise<string> {
  const { code, detail, field } = problem;
  const { status, title } = PROBLEMS[code];
  const body = html`<h1>${title}</h1>
<p class="lead">${untrustedText(detail)}</p>
${field === undefined ? '' : html`<p>Parameter: <code>${untrustedText(field)}</code></p>\n`}<p>${PROBLEM_GUIDE[code].advice}</p>
<p><a href="/">Check an endpoint</a> · <a href="/docs">Docs</a> · <a href="/problems#${code}">About this error</a></p>
<details>
<summary>HTTP ${status}: the JSON for programs</summary>
<pre tabindex="0" role="region" aria-label="The problem in JSON"><code>${JSON.stringify(problemJson(problem, at), null, 2)}</code></pre>
</details>`;
  return String(await layout({ title, body }));
}
