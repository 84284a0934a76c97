import { html } from 'hono/html';
import {
  FREE_LOOKUPS_PER_DAY,
  FREE_SPOT_CHECKS_PER_DAY,
  LOOKUP_PRICE,
  PACK_PRICE,
  SPOT_CHECK_PRICE_MAX,
  SPOT_CHECK_PRICE_MIN,
} from '../core/limits.ts';
import { formatUsd } from '../core/money/micro-usd.ts';
import type { Links } from '../wire/links.ts';
import { PROMISES, TAGLINE } from '../wire/openapi/promises.ts';
import { LOOKUP, LOOKUP_PAID, PACK } from '../wire/paid-routes.ts';
import { layout } from './layout.ts';

/** What the service is, for somebody who came by. */
export async function frontPage(links: Links): Promise<string> {
  const body = html`<h1>Ask before you pay</h1>
<p>${TAGLINE}</p>
<p>For agents: <a href="/llms.txt">llms.txt</a> and <a href="/openapi.json">OpenAPI</a>. For everybody:
<a href="/v1/skips">the endpoints to skip</a>, <a href="/v1/receipts">all receipts</a>,
<a href="/problems">error codes</a>, <a href="/prober">about our prober</a>.</p>
${VERDICTS}
<h2>Try it</h2>
${commands(links).map(([what, command]) => html`<p>${what}</p>\n<pre><code>${command}</code></pre>\n`)}
<h2>Promises</h2>
<ul>
${PROMISES.map((promise) => html`<li>${promise}</li>\n`)}</ul>`;
  return String(await layout({ title: 'Ask before you pay', body }));
}

const VERDICTS = html`<h2>The three verdicts</h2>
<table>
<thead><tr><th scope="col">Verdict</th><th scope="col">Means</th><th scope="col">Because</th></tr></thead>
<tbody>
<tr><td><code>pay</code></td><td>Sign exactly the terms in the answer, and nothing else.</td>
<td>One offer of the live 402 matches network, token, payee and price.</td></tr>
<tr><td><code>skip</code></td><td>Do not pay.</td>
<td>Something differs, cannot be read, or there is no paywall at all.</td></tr>
<tr><td><code>recheck</code></td><td>Ask again later; nothing was decided.</td>
<td>Timeout, HTTP 5xx, no connection, or a free trial.</td></tr>
</tbody>
</table>`;

/** One command for each route. */
function commands({ base, spotCheck, receipts, skipsJson, tasks }: Links): [what: string, command: string][] {
  const endpoint = 'https://api.example.com/data';
  const get = (url: string) => `curl -s '${url}'`;
  return [
    [
      `Check an endpoint before paying it. ${FREE_SPOT_CHECKS_PER_DAY} free check a day, then ${formatUsd(SPOT_CHECK_PRICE_MIN)} to ${formatUsd(SPOT_CHECK_PRICE_MAX)} USD:`,
      get(`${spotCheck}?url=${endpoint}&claimed_price=0.01`),
    ],
    [
      `Find a dependable service for a task. ${FREE_LOOKUPS_PER_DAY} free lookups a day, then ${formatUsd(LOOKUP_PRICE)} USD:`,
      get(`${base}${LOOKUP.path}?task=weather&max_price=0.05`),
    ],
    ['The same, always paid; this shows the price:', `curl -si '${base}${LOOKUP_PAID.path}?task=weather'`],
    ['The task names:', get(tasks)],
    ['What is known of an endpoint, without a new check:', get(`${receipts}/by-url?url=${endpoint}`)],
    ['Spot-checks, newest first:', get(`${receipts}?type=live&limit=5`)],
    ['One receipt by its id:', get(`${receipts}/<id>`)],
    ['The endpoints to skip:', get(skipsJson)],
    [
      `${PACK.description}, ${formatUsd(PACK_PRICE)} USD; this shows the price:`,
      `curl -si '${base}${PACK.path}'`,
    ],
  ];
}
