import { html } from 'hono/html';
import type { Links } from '../../wire/responses/links.ts';
import { layout } from '../frame/layout.ts';

/** All tasks, with how many services each has. */
export async function catalogPage(
  tasks: ReadonlyMap<string, readonly string[]>,
  { base }: Links,
): Promise<string> {
  const body = html`<h1>Catalog</h1>
<p>Known x402 services by task. We call them with our own money and grade the responses. Nobody can pay to change anything here.</p>
${tasks.size === 0 ? html`<p>The catalog is empty.</p>` : ''}
<ul class="tasks">
${[...tasks].map(([task, ids]) => html`<li><a href="/catalog/${task}">${task}</a> ${ids.length}<span class="unseen"> ${ids.length === 1 ? 'service' : 'services'}</span></li>\n`)}</ul>
<p>As JSON: <a href="/v1/tasks">/v1/tasks</a> lists the task names, <code>/v1/lookup?task=</code> the services of a task.</p>`;
  const description = 'x402 services by task, called with our own money and graded.';
  return String(await layout({ title: 'Catalog', description, address: `${base}/catalog`, body }));
}
