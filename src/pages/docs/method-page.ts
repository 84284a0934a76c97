import { html } from 'hono/html';
import { CRAWL_TIMEOUT_MS, PROBE_REUSE_SECONDS } from '../../core/limits.ts';
import { MEASURED_ACCURACY, type MeasuredRate } from '../../core/measured-accuracy.ts';
import { SKIP_GROUPS } from '../../core/receipt/skip-groups.ts';
import { SKIP_WORDS } from '../../core/verdict/skip-codes.ts';
import { RULES_VERSION } from '../../core/verdict/verdict.ts';
import type { Links } from '../../wire/responses/links.ts';
import { codeBlock } from '../frame/code-block.ts';
import { type Html, layout } from '../frame/layout.ts';
import { grouped } from '../frame/numbers.ts';
import { LIMITS_OF_A_CHECK } from '../receipt/not-proven.ts';
import { INDEPENDENCE, MENDING, PAID_CALLS } from './method-texts.ts';
import { rulesTable } from './rules-table.ts';

interface Part {
  readonly id: string;
  readonly title: string;
  readonly body: Html;
}

/** How verdicts and grades are made, how often they are wrong, and how anybody can check them. */
export async function methodPage(links: Links): Promise<string> {
  const parts = partsOf(links);
  const body = html`<h1>Method</h1>
<p class="lead">One unpaid request, a fixed list of rules, a public receipt. This page says how verdicts and grades are made, how often they
were wrong, and how to check them without trusting us.</p>
<nav class="contents" aria-label="On this page"><ol>
${parts.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>\n`)}</ol></nav>
${parts.map(({ id, title, body: text }) => html`<h2 id="${id}">${title}</h2>\n${text}\n`)}`;
  const description =
    'How Assay judges x402 endpoints: one unpaid request, fixed rules, measured accuracy, public receipts that anybody can verify.';
  return String(
    await layout({ title: 'Method', description, address: `${links.base}/method`, body, scripted: true }),
  );
}

function partsOf(links: Links): readonly Part[] {
  return [
    { id: 'request', title: 'The one request', body: REQUEST },
    { id: 'rules', title: 'What is compared', body: rules() },
    { id: 'severity', title: 'Groups of skips', body: severity() },
    { id: 'paid', title: 'How paid calls are graded', body: PAID_CALLS },
    { id: 'limits', title: 'What a verdict does not prove', body: LIMITS_OF_A_CHECK },
    { id: 'accuracy', title: 'How often a verdict is wrong', body: accuracy() },
    { id: 'frequency', title: 'How often endpoints are checked', body: HOW_OFTEN },
    { id: 'corrections', title: 'Corrections and replies', body: MENDING },
    { id: 'independence', title: 'Independence', body: INDEPENDENCE },
    { id: 'verify', title: 'Verify it yourself', body: verify(links) },
  ];
}

const REQUEST = html`<p>A check sends one GET or POST without a payment to the endpoint and reads the 402 that comes back, for at most
${CRAWL_TIMEOUT_MS / 1_000} seconds. Where a listed endpoint refuses a request without input, one more is sent with the input of its listing or of the
caller. Nothing is ever paid to an endpoint that is checked. <a href="/prober">What exactly is sent</a>.</p>`;

function rules(): Html {
  return html`<p>The terms of the live 402 are compared with what was expected: the price, payee and network that the caller claims, else those of the public list
that names the endpoint, else those of our catalog. Without any of them only plausibility is checked, and the verdict says so. The rules apply in a
fixed order, and the first that fails decides; the payee comes before the price.</p>
<p>These are the rules of version ${RULES_VERSION}. Every receipt names its version, and the judge of that version is one frozen file:
<a href="/log/rules/${RULES_VERSION}.mjs">rules/${RULES_VERSION}.mjs</a>.</p>
<details><summary>All rules in order</summary>
${rulesTable()}
</details>`;
}

function severity(): Html {
  return html`<p>The page of <a href="/v1/skips">endpoints to skip</a> has four groups, the most serious first.</p>
<table class="rows">
<thead><tr><th scope="col">Group</th><th scope="col">What it means</th><th scope="col">Reasons</th></tr></thead>
<tbody>
${SKIP_GROUPS.map(
  ({ title, about, codes }) =>
    html`<tr><th scope="row">${title}</th><td>${about}</td><td data-label="Reasons">${codes.map((code) => SKIP_WORDS[code]).join(', ')}</td></tr>\n`,
)}</tbody>
</table>`;
}

function accuracy(): Html {
  const { falsePay, falseSkip, honestPaid } = MEASURED_ACCURACY;
  const rows: [what: string, rate: MeasuredRate][] = [
    ['A dishonest seller is paid', falsePay],
    ['An honest seller is skipped', falseSkip],
    ['An honest seller is paid', honestPaid],
  ];
  return html`<p>Sellers whose behaviour is known run through the real crawl and the real service, and wrong verdicts are counted. An honest seller that is neither
paid nor skipped ends in <code>recheck</code> or is set aside.</p>
<table class="rows measured">
<thead><tr><th scope="col">What happens</th><th scope="col" class="number">Runs</th><th scope="col" class="number">Share</th></tr></thead>
<tbody>
${rows.map(([what, { count, of }]) => html`<tr><th scope="row">${what}</th><td class="number" data-label="Runs">${grouped(count)} of ${grouped(of)}</td><td class="number" data-label="Share">${hundredths({ count, of })}</td></tr>\n`)}</tbody>
</table>
<p>These rates say nothing about the share of dishonest sellers on the web: in this corpus a rare trick and the form that nearly every seller uses have equal weight. The
authors of the rules made the corpus; a case that they did not think of is in neither. A seller that shows honest terms to us and other terms to buyers
cannot be found from outside. <code>docs/accuracy.md</code> of the source has every class and every wrong verdict.</p>`;
}

/** To a hundredth, for the rates are small. */
function hundredths({ count, of }: MeasuredRate): string {
  return `${((100 * count) / of).toFixed(2)}\u00a0%`;
}

const HOW_OFTEN = html`<p>The public lists are read and all their endpoints are checked once a week, where the operator of this service has the crawl switched on; every run
says when it was made. A check for a caller is made at once, and its result is reused for ${PROBE_REUSE_SECONDS / 60} minutes.</p>`;

function verify({ base }: Links): Html {
  return html`<p>Every receipt is a statement of what was seen and what follows, and its hash is an entry of a public transparency log that only grows. Anybody can
verify that the statement is the logged one, that it is in the log under our signed checkpoint, and that the rules of its version give the same verdict again.
That the endpoint sent this response remains our word.</p>
${codeBlock(`assay receipt <id> --verify --server ${base}`, 'the command')}
<p>The page of every receipt shows how to do this with two downloads and without our tools. <a href="/log/policy">Keys of the log</a>, <a href="/docs">docs</a>.</p>`;
}
