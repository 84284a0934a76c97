import { html } from 'hono/html';
import type { Links } from '../../wire/responses/links.ts';
import { layout } from '../frame/layout.ts';

/** All tasks, with how many services each has. */
export async function catalogPage(
  tasks: ReadonlyMap<string, readonly string[]>,
  { base }: Links,
): Promise<string> {
  const body = html`<h1>Catalog</h1>
<p>Services that we know, by what they are good for. We call them, pay them with our own money and grade their answers; payment by anybody
else changes nothing here.</p>
${tasks.size === 0 ? html`<p>The catalog is empty.</p>` : ''}
<ul class="tasks">
${[...tasks].map(([task, ids]) => html`<li><a href="/catalog/${task}">${task}</a> ${ids.length}<span class="unseen"> ${ids.length === 1 ? 'service' : 'services'}</span></li>\n`)}</ul>
<p>Programs get the names from <a href="/v1/tasks">/v1/tasks</a> and the services of a task from <code>/v1/lookup?task=</code>.</p>`;
  const description = 'Services that Assay pays and grades itself, by task.';
  return String(await layout({ title: 'Catalog', description, address: `${base}/catalog`, body }));
}
