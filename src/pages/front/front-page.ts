import { html } from 'hono/html';
import type { RankedService } from '../../core/catalog/rank-services.ts';
import type { Service } from '../../core/catalog/read-catalog.ts';
import type { CrawlRun } from '../../core/receipt/crawl-run.ts';
import type { Lately } from '../../flows/read/read-lately.ts';
import { PROMISES, TAGLINE } from '../../wire/openapi/promises.ts';
import type { Links } from '../../wire/responses/links.ts';
import { cardOfSite } from '../cards/card-links.ts';
import { codeBlock } from '../frame/code-block.ts';
import { checkCommand } from '../frame/example-command.ts';
import { type Html, layout } from '../frame/layout.ts';
import { verdictMark } from '../frame/verdict-mark.ts';
import { LIMITS_OF_A_CHECK } from '../receipt/not-proven.ts';
import { type CheckFormParts, checkForm } from './check-form.ts';
import { examples } from './examples.ts';
import { crawlNumbers, latelyPanels } from './lately.ts';

export interface FrontPageParts extends CheckFormParts {
  readonly links: Links;
  readonly run: CrawlRun | null;
  /** Null when it cannot be read at the moment. */
  readonly lately: Lately | null;
  /** All services that are ranked. */
  readonly ranked: readonly RankedService[];
  readonly now: Date;
  /** A service of the catalog that can be checked. */
  readonly example: Service | null;
  /** The outcome of a check without a receipt. */
  readonly notice: Html | null;
}

/** One input, with the numbers of the last crawl beside it. */
export async function frontPage({
  links,
  run,
  lately,
  ranked,
  now,
  notice,
  example,
  ...form
}: FrontPageParts): Promise<string> {
  const body = html`<div class="front">
<div>
<h1>Ask before you pay</h1>
<p class="lead">Assay sends one unpaid request to an x402 endpoint, compares the live 402 with the listing or with what you expect,
and answers pay, skip or recheck.</p>
${notice ?? ''}
${checkForm(form)}
${examples(example, lately?.featured ?? null)}
</div>
${crawlNumbers(run)}
</div>
${lately === null ? '' : latelyPanels(lately, ranked, now)}
<div class="pair">
<section>${VERDICTS}</section>
<section><h2>What a check does not prove</h2>
${LIMITS_OF_A_CHECK}</section>
<section><h2>For agents</h2>
${codeBlock(checkCommand(links, example), 'the command')}
<p>No account and no key. <a href="/docs">Docs</a> for every route, <a href="/mcp">MCP</a> for Claude, Cursor and other clients,
<a href="/llms.txt">llms.txt</a> for models, <a href="/openapi.json">OpenAPI</a> for code generators.</p></section>
<section><h2>Promises</h2>
<ul>
${PROMISES.map((promise) => html`<li>${promise}</li>\n`)}</ul></section>
</div>`;
  const page = { title: 'Ask before you pay', description: TAGLINE, address: `${links.base}/`, body };
  return String(await layout({ ...page, card: cardOfSite(links), scripted: true }));
}

const VERDICTS = html`<h2>The three verdicts</h2>
<dl class="verdicts">
<dt>${verdictMark('pay')}</dt><dd>One offer of the live 402 matches network, token, payee and price. Sign exactly those terms and nothing else.</dd>
<dt>${verdictMark('skip')}</dt><dd>Do not pay. Something differs, cannot be read, or there is no paywall.</dd>
<dt>${verdictMark('recheck')}</dt><dd>No decision: a timeout, HTTP 5xx, no connection, or a free trial. Check again later.</dd>
</dl>`;
