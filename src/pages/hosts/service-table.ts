import { html } from 'hono/html';
import type { ServiceFacts } from '../../core/catalog/rank-services.ts';
import type { Html } from '../frame/layout.ts';
import { untrustedText } from '../frame/untrusted-text.ts';
import { price } from './endpoint-table.ts';

/** Services of the catalog, with what our own paid calls found out. */
export function serviceTable(caption: string, services: readonly ServiceFacts[]): Html {
  return html`<table class="rows shares">
<caption>${caption}</caption>
<thead><tr><th scope="col">Service</th><th scope="col" class="number">Listed price</th><th scope="col">Graded paid calls</th></tr></thead>
<tbody>
${services.map(
  ({ service, gradedCalls, passedCalls }) =>
    html`<tr><th scope="row"><a href="/v1/services/${service.id}"><bdi>${untrustedText(service.name)}</bdi></a></th><td class="number" data-label="Listed price">${price(service.price)}</td><td data-label="Graded paid calls">${gradedCalls === 0 ? 'none' : `${passedCalls} of ${gradedCalls} passed`}</td></tr>
`,
)}</tbody>
</table>`;
}
