import { html } from 'hono/html';
import type { FactsOnlyService, RankedService } from '../../core/catalog/rank-services.ts';
import { formatUsd } from '../../core/money/micro-usd.ts';
import type { FoundServices } from '../../flows/lookup/look-up-services.ts';
import type { Links } from '../../wire/responses/links.ts';
import { type Html, layout } from '../frame/layout.ts';
import { NO_PAID_CALLS } from '../frame/missing-data.ts';
import { age } from '../frame/shown-time.ts';
import { untrustedText } from '../frame/untrusted-text.ts';

export interface TaskPageParts {
  /** A slug. */
  readonly task: string;
  readonly found: FoundServices;
  readonly links: Links;
  readonly now: Date;
}

/** The services of a task, in the order of a lookup. */
export async function taskPage({ task, found, links, now }: TaskPageParts): Promise<string> {
  const { ranked, factsOnly, matched } = found;
  const isGraded = ranked.some(({ newestCallAt }) => newestCallAt !== null);
  const body = html`<p><a href="/catalog">Catalog</a></p>
<h1>Services for ${task}</h1>
<p>${isGraded ? '' : html`${NO_PAID_CALLS} `}In the order of a lookup: by known-answer pass rate, then by price. Nothing else affects the order; a seller cannot pay for a position.</p>
<table class="rows">
<caption>${ranked.length} ranked of ${matched}</caption>
<thead><tr><th scope="col">Service</th><th scope="col">Passed</th><th scope="col">Price</th><th scope="col">Last paid call</th></tr></thead>
<tbody>
${ranked.map((service) => row(service, now))}</tbody>
</table>
${factsOnly.length === 0 ? '' : unranked(factsOnly)}`;
  const description = isGraded
    ? `Services for ${task}, ranked by known-answer pass rate over calls that Assay paid for.`
    : `Known x402 services for ${task}.`;
  return String(
    await layout({
      title: `Services for ${task}`,
      description,
      address: `${links.base}/catalog/${task}`,
      body,
    }),
  );
}

function row(
  { service, passRate, passedCalls, gradedCalls, newestCallAt, stale }: RankedService,
  now: Date,
): Html {
  const { id, name, provider, price } = service;
  const right = passRate === null ? 'not graded yet' : `${passedCalls} of ${gradedCalls}`;
  const last = newestCallAt === null ? 'none yet' : `${age(newestCallAt, now)}${stale ? ', stale' : ''}`;
  return html`<tr><th scope="row"><a href="/v1/services/${id}">${untrustedText(name)}</a> <span class="none">${untrustedText(provider)}</span></th>
<td data-label="Passed">${right}</td><td data-label="Price">$${formatUsd(price)}</td><td data-label="Last paid call">${last}</td></tr>
`;
}

function unranked(services: readonly FactsOnlyService[]): Html {
  return html`<h2>Not ranked</h2>
<p>Broken on the seller's side: facts only, no rank.</p>
<ul>
${services.map(({ service: { id, name }, factsOnlyReason }) => html`<li><a href="/v1/services/${id}">${untrustedText(name)}</a>: ${untrustedText(factsOnlyReason)}</li>\n`)}</ul>`;
}
