import { html } from 'hono/html';
import { selectBest } from '../../core/catalog/best-services.ts';
import type { RankedService } from '../../core/catalog/rank-services.ts';
import { formatUsd } from '../../core/money/micro-usd.ts';
import type { Html } from '../frame/layout.ts';
import { untrustedText } from '../frame/untrusted-text.ts';
import { passedOf } from './call-marks.ts';

/** The services that pass, best first, for another page; empty while there is none. */
export function bestServices(ranked: readonly RankedService[], limit: number): Html | string {
  const best = selectBest(ranked, limit);
  if (best.length === 0) return '';
  return html`<ol class="best">
${best.map(item)}</ol>`;
}

function item({ service, passedCalls, gradedCalls }: RankedService): Html {
  const { id, name, provider, price, tasks } = service;
  return html`<li><a href="/v1/services/${id}"><bdi>${untrustedText(name)}</bdi></a> <span class="none"><bdi>${untrustedText(provider)}</bdi>, $${formatUsd(price)}${tasks.slice(0, 1).map((task) => html`, <a href="/catalog/${task}">${task}</a>`)}</span>
<span class="passed">${passedOf(passedCalls, gradedCalls)}</span></li>
`;
}
