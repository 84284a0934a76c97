import { html } from 'hono/html';
import type { ServiceJson } from '../../wire/responses/service-response.ts';
import { layout } from '../frame/layout.ts';
import { shownTime } from '../frame/shown-time.ts';
import { untrustedText } from '../frame/untrusted-text.ts';
import { callsChart } from './calls-chart.ts';

/** The page of one service. Every value goes through the template, which escapes it. */
export async function servicePage(service: ServiceJson): Promise<string> {
  const name = untrustedText(service.name);
  const body = html`<h1>${name}</h1>
<p>${untrustedText(service.description, DESCRIPTION_MAX_CHARS)}</p>
${listing(service)}
<h2>What our own paid calls show</h2>
${numbers(service)}
<h2>The known-answer test</h2>
${knownAnswer(service)}
<h2>Last unpaid check</h2>
<p>${checkInWords(service)}</p>
<h2>Paid calls</h2>
${callsChart(service.receipts)}
${calls(service)}
<p>The same data in JSON: this address with <code>Accept: application/json</code>.</p>`;
  return String(await layout({ title: name, body }));
}

/** The limit of the catalog. */
const DESCRIPTION_MAX_CHARS = 500;

function listing(service: ServiceJson) {
  const { provider, method, endpoint, price_usd, network, tasks, listed_pay_to, pay_to, source } = service;
  return html`<dl>
<dt>Provider</dt><dd>${untrustedText(provider)}</dd>
<dt>Endpoint</dt><dd><code>${method} ${untrustedText(endpoint)}</code></dd>
<dt>Listed price</dt><dd>$${price_usd} in USDC on ${network}, per call</dd>
<dt>Tasks</dt><dd>${tasks.map((task) => html`<a href="/catalog/${task}">${task}</a> `)}</dd>
<dt>Listed payee</dt><dd>${untrustedText(listed_pay_to ?? 'none')}</dd>
<dt>Payees seen</dt><dd>${pay_to.length === 0 ? 'none' : pay_to.map((payee) => untrustedText(payee)).join(', ')}</dd>
<dt>Found in</dt><dd>${untrustedText(source.list)}, ${source.seen_on}</dd>
</dl>`;
}

function numbers(service: ServiceJson) {
  const { facts_only_reason, receipts_considered, newest_receipt_at, stale } = service;
  if (facts_only_reason === null && receipts_considered === 0)
    return html`<p>We have not paid for a call yet.</p>`;
  return html`${facts_only_reason === null ? '' : html`<p><strong>Not ranked:</strong> ${untrustedText(facts_only_reason)}.</p>`}
<dl>
<dt>Passed</dt><dd>${passed(service)}</dd>
<dt>Delivered</dt><dd>${service.delivered_rate === null ? 'no rate' : percent(service.delivered_rate)}</dd>
<dt>Calls counted</dt><dd>${receipts_considered}, the newest</dd>
<dt>Newest</dt><dd>${newest_receipt_at === null ? 'none' : shownTime(new Date(newest_receipt_at))}${stale ? ', stale' : ''}</dd>
</dl>`;
}

function passed({ passed_receipts, graded_receipts, pass_rate, pass_rate_low }: ServiceJson): string {
  const counted = `${passed_receipts} of ${graded_receipts} graded responses`;
  if (pass_rate === null || pass_rate_low === null) return counted;
  return `${counted} (${percent(pass_rate)}; at least ${percent(pass_rate_low)} with 95 % confidence)`;
}

function knownAnswer({ quality_test }: ServiceJson) {
  if (quality_test === null) return html`<p>No known-answer test yet, so responses are not graded.</p>`;
  return html`<dl>
<dt>Input</dt><dd>${untrustedText(quality_test.input, DESCRIPTION_MAX_CHARS)}</dd>
<dt>Passes if</dt><dd>${untrustedText(quality_test.pass_if, DESCRIPTION_MAX_CHARS)}</dd>
</dl>`;
}

function checkInWords({ last_check }: ServiceJson) {
  if (last_check === null) return 'Not checked yet.';
  return html`${shownTime(new Date(last_check.checked_at))}: the endpoint ${findingInWords(last_check)}.`;
}

function findingInWords(check: NonNullable<ServiceJson['last_check']>): string {
  const { reachable, x402_challenge, quoted_price_usd, price_matches_listing } = check;
  if (!reachable) return 'cannot be reached';
  if (!x402_challenge) return 'does not ask for payment';
  if (quoted_price_usd === null) return 'asks for a payment without a readable price';
  if (price_matches_listing === null) return `asks $${quoted_price_usd}`;
  return `asks $${quoted_price_usd}, which is ${price_matches_listing ? '' : 'not '}the listed price`;
}

function calls({ receipts }: ServiceJson) {
  if (receipts.length === 0) return html`<p>None.</p>`;
  return html`<table class="rows calls">
<caption>${receipts.length}, newest first</caption>
<thead><tr><th scope="col">Time</th><th scope="col">Result</th><th scope="col">Paid</th><th scope="col">HTTP</th>
<th scope="col">Took</th><th scope="col">Settlement</th></tr></thead>
<tbody>
${receipts.map(row)}
</tbody>
</table>`;
}

type Receipt = ServiceJson['receipts'][number];

function row({
  time,
  delivered,
  quality,
  quality_reason,
  charged_usd,
  http_status,
  latency_ms,
  ...settled
}: Receipt) {
  const grade = quality === 'not_graded' ? 'not graded' : quality;
  return html`<tr><td>${shownTime(new Date(time))}</td><td>${delivered ? '' : 'not delivered; '}${grade}: ${untrustedText(quality_reason)}</td>
<td>${charged_usd === null ? 'nothing' : `$${charged_usd}`}</td><td>${http_status ?? ''}</td>
<td>${latency_ms === null ? '' : `${latency_ms} ms`}</td><td>${settlement(settled)}</td></tr>
`;
}

function settlement({ tx, explorer_url }: Pick<Receipt, 'tx' | 'explorer_url'>) {
  if (tx === null) return 'none';
  const text = untrustedText(tx);
  const short = text.length > 14 ? `${text.slice(0, 8)}…${text.slice(-4)}` : text;
  return explorer_url === null ? short : html`<a href="${explorer_url}">${short}</a>`;
}

function percent(rate: number): string {
  return `${Number((rate * 100).toFixed(1))} %`;
}
