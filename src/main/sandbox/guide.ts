import { formatUsd } from '../../core/money/micro-usd.ts';
import { VERDICT_OF_REASON } from '../../core/verdict/verdict.ts';
import type { OpenSeller } from '../../sandbox/sellers/start-sellers.ts';
import { reportOf } from '../sandbox-report.ts';
import type { Sandbox } from './start.ts';

const CHECK = '/v1/products/endpoint-spot-check';

/** For people: where everything is, one command for each verdict, and how to spend the money. */
export function guideOf(sandbox: Pick<Sandbox, 'addresses' | 'surroundings'>): string {
  const report = reportOf(sandbox);
  const { sellers } = sandbox.surroundings;
  const first = sellers.filter(
    ({ reason }, index) => sellers.findIndex((other) => other.reason === reason) === index,
  );
  const others = sellers.filter((seller) => !first.includes(seller));
  const [key = ''] = report.buyer_keys;
  return `Assay's sandbox is running: a world on this machine, with real payments of play money. Ctrl-C removes it.

service       ${report.base_url}
              ${report.alt_url} and ${report.legacy_url} are the same service under its other addresses
chain         ${report.rpc_url} (chain id 8453, USDC at ${report.usdc})
facilitator   ${report.facilitator_url}
${Object.entries(report.discovery_lists).map(listLine).join('\n')}
wallet        ${report.pay_to} gets what the service is paid
self-test     curl -H 'Authorization: Bearer ${report.self_test_key}' ... is neither counted nor charged

SHOULD I PAY? A free dry run for each verdict, with what the lists claim about the seller:

${first.map((seller) => checkLines(seller, report.base_url)).join('\n\n')}

# skip, ssrf_blocked: nothing but the sellers is ever asked, and certainly not the service itself
${curl(report.base_url, [`url=${report.base_url}/v1/tasks`])}

More sellers:
${others.map(sellerLine).join('\n')}

PAYING. Every buyer has 100 USDC. Paste this into a shell in Assay's folder to buy a lookup for two cents; put the address of a
seller in the place of the last one to buy there:

${payingScript(key, `${report.base_url}/v1/lookup/paid?task=weather`)}

The keys of all buyers, which are the same in every sandbox:
${report.buyer_keys.join('\n')}

With --json all of this is one line for programs. docs/sandbox.md says more.`;
}

function listLine([name, url]: readonly [string, string]): string {
  return `list          ${url} (${name})`;
}

function checkLines({ url, truth, reason, claims, method }: OpenSeller, base: string): string {
  const expected = [
    `url=${url}`,
    `claimed_price=${formatUsd(claims.amount)}`,
    `network=${claims.network}`,
    `pay_to=${claims.payTo}`,
  ];
  return [
    `# ${VERDICT_OF_REASON[reason]}, ${reason}: the seller ${truth}`,
    curl(base, method === 'POST' ? [...expected, 'method=POST'] : expected),
  ].join('\n');
}

function curl(base: string, parameters: readonly string[]): string {
  return `curl -sGw '\\n' ${base}${CHECK} ${['mode=dry-run', ...parameters].map((one) => `-d ${one}`).join(' ')}`;
}

/** The stock client of x402, as a buyer would use it. */
function payingScript(key: string, url: string): string {
  return `node --input-type=module <<'END'
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
const buyer = privateKeyToAccount('${key}');
const client = new x402Client().register('eip155:8453', new ExactEvmScheme(buyer));
const answer = await wrapFetchWithPayment(fetch, client)('${url}');
console.log(answer.status, await answer.text());
END`;
}

function sellerLine({ url, example, truth }: OpenSeller): string {
  const query = new URLSearchParams(example).toString();
  return `${query === '' ? url : `${url}?${query}`}  ${truth}`;
}
