import { html } from 'hono/html';
import type { HostView } from '../../flows/read/hosts/read-host.ts';
import type { Html } from '../frame/layout.ts';
import { runColumns } from './run-columns.ts';
import { serviceTable } from './service-table.ts';

/** What closes the page of a host and of a payee. One crawl is no history. */
export function historyAndServices(
  { history, services }: Pick<HostView, 'history' | 'services'>,
  caption: string,
): Html {
  return html`${history.length < 2 ? '' : html`<h2>Verdicts over time</h2>\n${runColumns(history)}`}
${services.length === 0 ? '' : html`<h2>In the catalog</h2>\n${serviceTable(caption, services)}`}`;
}
