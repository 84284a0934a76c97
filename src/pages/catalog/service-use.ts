import { html } from 'hono/html';
import type { Links } from '../../wire/responses/links.ts';
import type { ServiceJson } from '../../wire/responses/service-response.ts';
import { breakable } from '../frame/breakable.ts';
import { codeBlock } from '../frame/code-block.ts';
import type { Html } from '../frame/layout.ts';
import { untrustedText } from '../frame/untrusted-text.ts';
import { CHECK_PATH } from '../front/check-form.ts';

/** How to call the service, and how to check it first. */
export function howToCall(service: ServiceJson, { base }: Pick<Links, 'base'>): Html {
  const { method, endpoint, endpoint_template, path_parameters = [], example } = service;
  return html`<p><code>${method}</code> <code>${endpoint_template === undefined ? breakable(endpoint) : templated(endpoint_template)}</code></p>
${path_parameters.length === 0 ? '' : html`<p>In the path: ${path_parameters.map(({ name, example: value }, at) => html`${at === 0 ? '' : ', '}<code><var>{${name}}</var></code>, here <code>${untrustedText(value)}</code>`)}.</p>`}
${example.body === null ? '' : html`<p>Example input:</p>${codeBlock(JSON.stringify(example.body, null, 2), 'the example input')}`}
<p>Without a payment it answers with its price, a 402:</p>
${codeBlock(curlOf(example), 'the request')}
<p>Compare that 402 with the listing before you pay; one free check a day:</p>
${codeBlock(checkOf(service, base), 'the check')}
${checkNow(service)}`;
}

/** The names in braces stand out; the rest breaks as any URL does. */
function templated(template: string): Html {
  const parts = template.split(/(\{[A-Za-z][A-Za-z0-9_]*\})/);
  return html`${parts.map((part, at) => (at % 2 === 1 ? html`<var>${part}</var>` : breakable(part)))}`;
}

function curlOf({ method, url, body }: ServiceJson['example']): string {
  if (method === 'GET') return command('curl -i', inShell(url));
  const input = inShell(JSON.stringify(body ?? {}));
  return command(`curl -i -X ${method}`, inShell(url), "-H 'content-type: application/json'", `-d ${input}`);
}

function checkOf({ method, endpoint, price_usd, network, listed_pay_to }: ServiceJson, base: string): string {
  return command(
    'assay check',
    inShell(endpoint),
    ...(method === 'GET' ? [] : [`--method ${method}`]),
    `--claimed-price ${price_usd}`,
    `--network ${inShell(network)}`,
    ...(listed_pay_to === null ? [] : [`--pay-to ${inShell(listed_pay_to)}`]),
    `--server ${inShell(base)}`,
  );
}

const LINE_MAX_CHARS = 90;

/** In one line if it fits, else with an option a line. */
function command(program: string, target: string, ...options: readonly string[]): string {
  const line = [program, target, ...options].join(' ');
  return line.length <= LINE_MAX_CHARS ? line : [`${program} ${target}`, ...options].join(' \\\n  ');
}

/** Quoted for a shell wherever it has to be. */
function inShell(text: string): string {
  return /^[A-Za-z0-9/:._@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The form of the front page, filled in: a POST, so that following a link cannot use a free check. */
function checkNow({ endpoint, method, price_usd, listed_pay_to, network }: ServiceJson): Html {
  const fields = { url: endpoint, claimed_price: price_usd, pay_to: listed_pay_to ?? '', network, method };
  return html`<form class="now" method="post" action="${CHECK_PATH}">
${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)}<p><button class="first" name="mode" value="live">Check it now</button> <button name="mode" value="dry-run">Dry run</button></p>
<p class="quiet">One unpaid request, compared with the listing; the receipt is public.</p>
</form>`;
}
