import { html } from 'hono/html';
import type { ServiceJson } from '../../wire/responses/service-response.ts';
import type { Html } from '../frame/layout.ts';
import { shownTime } from '../frame/shown-time.ts';
import { untrustedText } from '../frame/untrusted-text.ts';
import { qualityMark, qualityWords } from './call-marks.ts';

type Call = ServiceJson['receipts'][number];

/** The calls as marks, newest right; each leads to its row of the table. */
export function callLinks(newestFirst: readonly Call[]): Html | string {
  if (newestFirst.length === 0) return '';
  const links = newestFirst.map((call, index) => {
    const words = inWords(call);
    return html`<li><a href="#call-${newestFirst.length - index}" title="${words}">${qualityMark(call.quality)}<span class="unseen">${words}</span></a></li>`;
  });
  return html`<ol class="strip" aria-label="Paid calls, newest last">
${links.toReversed()}</ol>
<p class="quiet">${LEGEND}</p>`;
}

const LEGEND = html`Newest call last: ${qualityMark('pass')} right ${qualityMark('fail')} wrong ${qualityMark('not_graded')} not graded`;

function inWords({ time, delivered, quality, charged_usd, latency_ms }: Call): string {
  return [
    `${time.slice(0, 16).replace('T', ' ')} UTC: ${qualityWords(quality)}`,
    ...(delivered ? [] : ['not delivered']),
    charged_usd === null ? 'nothing paid' : `$${charged_usd}`,
    ...(latency_ms === null ? [] : [`${latency_ms} ms`]),
  ].join(', ');
}

export function callsTable(newestFirst: readonly Call[]): Html {
  if (newestFirst.length === 0) return html`<p>None.</p>`;
  return html`<table class="rows calls">
<caption>${newestFirst.length}, newest first</caption>
<thead><tr><th scope="col">Time</th><th scope="col">Result</th><th scope="col" class="number">Paid</th><th scope="col" class="number">HTTP</th>
<th scope="col" class="number">Took</th><th scope="col">Settlement</th></tr></thead>
<tbody>
${newestFirst.map((call, index) => row(call, newestFirst.length - index))}
</tbody>
</table>`;
}

function row({ time, delivered, quality, quality_reason, charged_usd, ...call }: Call, at: number): Html {
  return html`<tr id="call-${at}"><td>${shownTime(new Date(time))}</td><td>${qualityMark(quality)} ${delivered ? '' : 'not delivered; '}${qualityWords(quality)}: <bdi>${untrustedText(quality_reason)}</bdi></td>
<td class="number" data-label="Paid">${charged_usd === null ? 'nothing' : `$${charged_usd}`}</td><td class="number" data-label="HTTP">${call.http_status ?? ''}</td>
<td class="number" data-label="Took">${call.latency_ms === null ? '' : `${call.latency_ms} ms`}</td><td data-label="Settlement">${settlement(call)}</td></tr>
`;
}

function settlement({ tx, explorer_url }: Pick<Call, 'tx' | 'explorer_url'>): Html | string {
  if (tx === null) return 'none';
  const text = untrustedText(tx);
  const short = text.length > 14 ? `${text.slice(0, 8)}…${text.slice(-4)}` : text;
  return explorer_url === null
    ? html`<code title="${text}">${short}</code>`
    : html`<a href="${explorer_url}" rel="noreferrer" title="${text}"><code class="short">${short}</code></a>`;
}

/** The middle of the times that the calls took; null without one. */
export function medianMs(calls: readonly Pick<Call, 'latency_ms'>[]): number | null {
  const times = calls
    .flatMap(({ latency_ms }) => (latency_ms === null ? [] : [latency_ms]))
    .sort((a, b) => a - b);
  return times[Math.floor((times.length - 1) / 2)] ?? null;
}
