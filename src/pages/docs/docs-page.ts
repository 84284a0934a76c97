import { html } from 'hono/html';
import type { Service } from '../../core/catalog/read-catalog.ts';
import {
  DRY_RUNS_PER_DAY,
  FREE_LOOKUPS_PER_DAY,
  FREE_SPOT_CHECKS_PER_DAY,
  LOOKUP_PRICE,
  PACK_PRICE,
  PROBE_REUSE_SECONDS,
  SPOT_CHECK_PRICE_MAX,
  SPOT_CHECK_PRICE_MIN,
} from '../../core/limits.ts';
import { formatUsd } from '../../core/money/micro-usd.ts';
import { LOOKUP, LOOKUP_PAID, PACK } from '../../wire/payment/paid-routes.ts';
import type { Links } from '../../wire/responses/links.ts';
import { codeBlock } from '../frame/code-block.ts';
import { checkCommand, exampleUrl } from '../frame/example-command.ts';
import { type Html, layout } from '../frame/layout.ts';
import { apiReference } from './api-reference.ts';
import { diagnosticsTable } from './diagnostics-table.ts';
import { PAYING, PRIVACY, ROUTERS, sellers } from './docs-texts.ts';
import { rulesTable } from './rules-table.ts';

export interface DocsPageParts {
  readonly links: Links;
  readonly openApi: object;
  /** False without a wallet: then nothing is offered. */
  readonly sells: boolean;
  /** A mailto: or web address; null when the operator gave none. */
  readonly contact: string | null;
  /** A service of the catalog that can be checked. */
  readonly example: Service | null;
}

/** How to use the service, for authors of agents and for sellers. */
export async function docsPage(parts: DocsPageParts): Promise<string> {
  const { links, openApi, sells, contact, example } = parts;
  const body = html`<h1>Docs</h1>
<nav aria-label="On this page"><a href="#agents">Agents</a> <a href="#routers">Routers</a> <a href="#sellers">Sellers</a>
<a href="#rules">Rules</a> <a href="#diagnostics">What to fix</a> ${sells ? html`<a href="#paying">Paying</a> ` : ''}<a href="#limits">Limits</a> <a href="#privacy">Privacy</a> <a href="#api">API</a></nav>
<h2 id="agents">Quick start for agents</h2>
<p>Send GET requests; responses are JSON. No account and no key. Act on <code>verdict</code>: <code>pay</code> means sign exactly the approved payment
(<code>payment</code> in a paid response, <code>approved_payment</code> in the receipt of a free one), <code>skip</code> means do not pay, <code>recheck</code> means check again later.</p>
${commands(links, example, sells).map(command)}
<p>In Claude, Cursor, VS Code or Windsurf: <a href="/mcp">the set-up of the MCP server</a>. To try everything without money and without network, run
<code>npm run sandbox</code> in a checkout of Assay: this service, sellers of every kind and a chain with play money, all on your own machine.</p>
${ROUTERS}
${sellers(links.base, contact)}
<h2 id="rules">How a verdict is reached</h2>
<p>One unpaid request, at most 5 seconds, and one more with input where a listed endpoint requires input first. The rules apply in this order, and the first that fails decides. A single
offer must pass all rules about offers; the order of the offers does not matter.</p>
${rulesTable()}
${diagnosticsTable()}
${sells ? PAYING : ''}
${limits(sells)}
${PRIVACY}
<h2 id="api">API reference</h2>
<p>Generated from <a href="/openapi.json">the OpenAPI document</a>. See also the <a href="/problems">error codes</a>.</p>
${apiReference(openApi)}`;
  const description = 'How to check an x402 endpoint before paying it: for agents, routers and sellers.';
  return String(
    await layout({ title: 'Docs', description, address: `${links.base}/docs`, body, scripted: true }),
  );
}

function command([what, text]: readonly [what: string, text: string]): Html {
  return html`<p>${what}</p>
${codeBlock(text, `the command: ${what}`)}
`;
}

const SOLD_ROW: [what: string, free: string, then: string] = [
  'Setup pack',
  'none',
  `$${formatUsd(PACK_PRICE)}`,
];

/** One command for each route. */
function commands(links: Links, example: Service | null, sells: boolean): [what: string, text: string][] {
  const { base, receipts, skipsJson, tasks } = links;
  const task = example?.tasks[0] ?? '<task>';
  const get = (url: string) => `curl -s '${url}'`;
  return [
    ['Check an endpoint before paying it:', checkCommand(links, example)],
    ['Find a reliable service for a task:', get(`${base}${LOOKUP.path}?task=${task}&max_price=0.05`)],
    ['The task names:', get(tasks)],
    ['Receipts of an endpoint, without a new check:', get(`${receipts}/by-url?url=${exampleUrl(example)}`)],
    ['Spot-checks, newest first:', get(`${receipts}?type=live&limit=5`)],
    ['One receipt by its id:', get(`${receipts}/<id>`)],
    ['The endpoints to skip:', get(skipsJson)],
    ...(sells ? soldCommands(base, task) : []),
  ];
}

function soldCommands(base: string, task: string): [what: string, text: string][] {
  return [
    [
      'A lookup that is always paid; this shows the price:',
      `curl -si '${base}${LOOKUP_PAID.path}?task=${task}'`,
    ],
    [
      `${PACK.description}, ${formatUsd(PACK_PRICE)} USD; this shows the price:`,
      `curl -si '${base}${PACK.path}'`,
    ],
  ];
}

function limits(sells: boolean): Html {
  const none = 'none until 00:00 UTC';
  const rows: [what: string, free: string, then: string][] = [
    [
      'Check',
      `${FREE_SPOT_CHECKS_PER_DAY} a day`,
      sells
        ? `a tenth of what the endpoint asks, $${formatUsd(SPOT_CHECK_PRICE_MIN)} to $${formatUsd(SPOT_CHECK_PRICE_MAX)}`
        : none,
    ],
    ['Dry run', `${DRY_RUNS_PER_DAY} a day`, none],
    ['Lookup', `${FREE_LOOKUPS_PER_DAY} a day`, sells ? `$${formatUsd(LOOKUP_PRICE)}` : none],
    ...(sells ? [SOLD_ROW] : []),
    ['Receipts, skips, tasks, services', 'all', ''],
  ];
  return html`<h2 id="limits">Limits</h2>
<table class="rows">
<thead><tr><th scope="col">What</th><th scope="col">Free, per caller and UTC day</th><th scope="col">Then</th></tr></thead>
<tbody>
${rows.map(([what, free, then]) => html`<tr><th scope="row">${what}</th><td data-label="Free">${free}</td><td data-label="Then">${then}</td></tr>\n`)}</tbody>
</table>
<p>A check reuses the probe of the same URL and method for ${PROBE_REUSE_SECONDS / 60} minutes, whoever asked for it, or for a shorter time when its
approval expires soon. A live check that ends in a timeout, an HTTP 5xx, no connection, missing input or <code>unconfirmed</code> does not count.</p>`;
}
