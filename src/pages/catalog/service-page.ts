import { html } from 'hono/html';
import type { ServiceVerdict } from '../../core/catalog/service-verdict.ts';
import { hostOf } from '../../core/receipt/skip-filter.ts';
import type { ListedAndAsked } from '../../flows/lookup/read-asked-prices.ts';
import type { Links } from '../../wire/responses/links.ts';
import type { ServiceJson } from '../../wire/responses/service-response.ts';
import { cardOfService } from '../cards/card-links.ts';
import { breakable, hashText } from '../frame/breakable.ts';
import { crumbs } from '../frame/crumbs.ts';
import { type Html, layout } from '../frame/layout.ts';
import { linked } from '../frame/linked.ts';
import { networkName } from '../frame/network-name.ts';
import { hostHref, payeeHref } from '../frame/page-hrefs.ts';
import { shownTime } from '../frame/shown-time.ts';
import { untrustedText } from '../frame/untrusted-text.ts';
import { callLinks, callsTable, medianMs } from './service-calls.ts';
import { pricesOverTime } from './service-prices.ts';
import { howToCall } from './service-use.ts';
import { serviceWordCard, wordSentence } from './service-word.ts';

export interface ServicePageParts {
  readonly service: ServiceJson;
  readonly verdict: ServiceVerdict;
  readonly prices: ListedAndAsked;
  readonly links: Links;
}

/** The page of one service: first what our own money found out. Every value goes through the template, which escapes it. */
export async function servicePage({ service, verdict, prices, links }: ServicePageParts): Promise<string> {
  const name = untrustedText(service.name);
  const address = `${links.base}/v1/services/${service.id}`;
  const body = html`${crumbs([{ href: '/catalog', name: 'Catalog' }, ...service.tasks.slice(0, 1).map((task) => ({ href: `/catalog/${task}`, name: task }))])}
<h1><bdi>${name}</bdi></h1>
<p class="lead"><bdi>${untrustedText(service.description, DESCRIPTION_MAX_CHARS)}</bdi></p>
${serviceWordCard(verdict, notRanked(service))}
${callLinks(service.receipts)}
<div class="cols">
<section class="panel"><h2>Listing</h2>
${listing(service)}</section>
<section class="panel"><h2>In numbers</h2>
${numbers(service)}</section>
</div>
<h2>How to call it</h2>
${howToCall(service, links)}
<h2>Listed and asked price</h2>
${pricesOverTime(prices)}
<h2>The known-answer test</h2>
${knownAnswer(service)}
<h2>Last unpaid check</h2>
<p>${checkInWords(service)}</p>
<h2>Paid calls</h2>
${callsTable(service.receipts)}
<p class="quiet">Also in JSON: this address with <code>Accept: application/json</code>.</p>`;
  const description = `${name} by ${untrustedText(service.provider)}, $${service.price_usd} a call. ${wordSentence(verdict)}.`;
  return String(
    await layout({
      title: name,
      description,
      address,
      json: `/v1/services/${service.id}`,
      card: cardOfService(links, service.id),
      scripted: true,
      body,
    }),
  );
}

/** The limit of the catalog. */
const DESCRIPTION_MAX_CHARS = 500;

function notRanked({ facts_only_reason: reason }: ServiceJson): Html | string {
  return reason === null
    ? ''
    : html`<p><strong>Not ranked:</strong> <bdi>${untrustedText(reason)}</bdi>.</p>\n`;
}

function listing(service: ServiceJson): Html {
  const { provider, endpoint, price_usd, network, tasks, listed_pay_to, pay_to, source } = service;
  const host = hostOf(endpoint);
  return html`<dl>
<dt>Provider</dt><dd><bdi>${untrustedText(provider)}</bdi></dd>
<dt>Host</dt><dd>${linked(hostHref(host), breakable(host))}</dd>
<dt>Listed price</dt><dd>$${price_usd} in USDC on ${networkName(network)}, per call</dd>
<dt>Tasks</dt><dd>${tasks.map((task) => html`<a href="/catalog/${task}">${task}</a> `)}</dd>
<dt>Listed payee</dt><dd>${listed_pay_to === null ? 'none' : payee(listed_pay_to)}</dd>
<dt>Payees paid</dt><dd>${pay_to.length === 0 ? 'none' : pay_to.slice(0, PAYEES_SHOWN).map((one) => html`<span class="payee">${payee(one)}</span> `)}</dd>
<dt>Found in</dt><dd><bdi>${untrustedText(source.list)}</bdi>, ${source.seen_on}</dd>
</dl>`;
}

const PAYEES_SHOWN = 10;

function payee(address: string): Html {
  return linked(payeeHref(address), html`<code>${hashText(address)}</code>`);
}

function numbers(service: ServiceJson): Html {
  const { receipts, receipts_considered, newest_receipt_at, stale } = service;
  if (receipts_considered === 0) return html`<p>We have not paid for a call yet.</p>`;
  const median = medianMs(receipts);
  return html`<dl>
<dt>Passed</dt><dd>${passed(service)}</dd>
<dt>Delivered</dt><dd>${service.delivered_rate === null ? 'no rate' : percent(service.delivered_rate)}</dd>
<dt>Paid calls</dt><dd>${receipts_considered}</dd>
<dt>Median latency</dt><dd>${median === null ? 'none' : `${median} ms`}</dd>
<dt>Last paid call</dt><dd>${newest_receipt_at === null ? 'none' : shownTime(new Date(newest_receipt_at))}${stale ? ', stale' : ''}</dd>
</dl>`;
}

function passed({ passed_receipts, graded_receipts, pass_rate, pass_rate_low }: ServiceJson): string {
  const counted = `${passed_receipts} of ${graded_receipts} graded responses`;
  if (pass_rate === null || pass_rate_low === null) return counted;
  return `${counted} (${percent(pass_rate)}; at least ${percent(pass_rate_low)} with 95\u00a0% confidence)`;
}

function knownAnswer({ quality_test }: ServiceJson): Html {
  if (quality_test === null) return html`<p>No known-answer test yet, so responses are not graded.</p>`;
  return html`<dl>
<dt>Input</dt><dd><bdi>${untrustedText(quality_test.input, DESCRIPTION_MAX_CHARS)}</bdi></dd>
<dt>Passes if</dt><dd><bdi>${untrustedText(quality_test.pass_if, DESCRIPTION_MAX_CHARS)}</bdi></dd>
</dl>`;
}

function checkInWords({ last_check }: ServiceJson): Html | string {
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

function percent(rate: number): string {
  return `${Number((rate * 100).toFixed(1))}\u00a0%`;
}
