import { html } from 'hono/html';
import type { Links } from '../../wire/responses/links.ts';
import { type Html, layout } from '../frame/layout.ts';
import { NO_PAID_CALLS } from '../frame/missing-data.ts';

/** All tasks, with how many services each has. */
export async function catalogPage(
  tasks: ReadonlyMap<string, readonly string[]>,
  { base }: Links,
  /** Whether any call was paid for; null when that is not known at the moment. */
  isGraded: boolean | null,
): Promise<string> {
  const body = html`<h1>Catalog</h1>
<p>Known x402 services by task. ${gradingWords(isGraded)} Nobody can pay to change anything here.</p>
${tasks.size === 0 ? html`<p>The catalog is empty.</p>` : ''}
<ul class="tasks">
${[...tasks].map(([task, ids]) => html`<li><a href="/catalog/${task}">${task}</a> ${ids.length}<span class="unseen"> ${ids.length === 1 ? 'service' : 'services'}</span></li>\n`)}</ul>
<p>As JSON: <a href="/v1/tasks">/v1/tasks</a> lists the task names, <code>/v1/lookup?task=</code> the services of a task.</p>`;
  const description = isGraded
    ? 'x402 services by task, called with our own money and graded.'
    : 'Known x402 services by task.';
  return String(await layout({ title: 'Catalog', description, address: `${base}/catalog`, body }));
}

function gradingWords(isGraded: boolean | null): Html | string {
  if (isGraded === null) return '';
  return isGraded ? 'We call them with our own money and grade the responses.' : NO_PAID_CALLS;
}
