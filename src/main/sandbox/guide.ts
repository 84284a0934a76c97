import { USDC } from '../../adapters/facilitator/base-chain.ts';
import { formatUsd } from '../../core/money/micro-usd.ts';
import { VERDICT_OF_REASON } from '../../core/verdict/verdict.ts';
import type { OpenSeller } from '../../sandbox/sellers/start-sellers.ts';
import type { SandboxOptions } from './options.ts';
import { SELF_TEST_KEY } from './sandbox-service.ts';
import type { Sandbox } from './start.ts';

const CHECK = '/v1/products/endpoint-spot-check';

/** For people: the addresses, one command for each verdict, a script that pays, and last what to do first. */
export function guideOf(
  sandbox: Pick<Sandbox, 'addresses' | 'ecosystem'>,
  filled: Pick<SandboxOptions, 'crawl'>,
): string {
  const report = reportOf(sandbox);
  const { sellers } = sandbox.ecosystem;
  const first = sellers.filter(
    ({ reason }, index) => sellers.findIndex((other) => other.reason === reason) === index,
  );
  const others = sellers.filter((seller) => !first.includes(seller));
  const [key = ''] = report.buyer_keys;
  return `Assay's sandbox is running: all of it on this machine, with real payments of play money. Ctrl-C removes it.

service       ${report.base_url}
              ${report.alt_url} and ${report.legacy_url} are the same service under its other addresses
chain         ${report.rpc_url} (chain id 8453, USDC at ${report.usdc})
facilitator   ${report.facilitator_url}
${Object.entries(report.discovery_lists).map(listLine).join('\n')}
wallet        ${report.pay_to} gets what the service is paid
self-test     curl -H 'Authorization: Bearer ${report.self_test_key}' ... is not metered

SHOULD I PAY? One dry run per verdict, with the terms that the lists claim. A dry run is free: one unpaid request and a public
receipt, never an approval.

${first.map((seller) => checkLines(seller, report.base_url)).join('\n\n')}

# skip, ssrf_blocked: only the sellers may be probed, and never the service itself
${curl(report.base_url, [`url=${report.base_url}/v1/tasks`])}

More sellers:
${others.map(sellerLine).join('\n')}

PAYING. Every buyer has 100 USDC. Paste this into a shell in Assay's folder to buy a lookup for two cents. To buy from a seller,
replace the last address with the seller's:

${payingScript(key, `${report.base_url}/v1/lookup/paid?task=weather`)}

The private keys of all buyers, the same in every sandbox:
${report.buyer_keys.join('\n')}

--json prints all of this on one line, for programs. See docs/sandbox.md.

START HERE
${firstSteps(report, filled)}`;
}

/** The last lines are those that are still on the screen. */
function firstSteps(
  { base_url: base, sellers }: ReturnType<typeof reportOf>,
  { crawl }: Pick<SandboxOptions, 'crawl'>,
): string {
  const skips = crawl
    ? 'what a crawl found: which endpoints ask for other terms than listed'
    : 'empty: this sandbox was started without the crawl';
  const server = base === 'http://127.0.0.1:4402' ? '' : ` --server ${base}`;
  return [
    `open  ${base}/  check any of the sellers above`,
    `open  ${base}/v1/skips  ${skips}`,
    `open  ${base}/log/checkpoint  the signed size and root of the log that every receipt is in`,
    `run   npx assay check ${sellers['swapped-payee']}${server}  a dishonest seller`,
    `run   npx assay lookup text-hash${server}  two sellers of the same service, one of which delivers junk`,
  ].join('\n');
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

/** Uses the standard x402 client. */
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

/** The same for programs. */
export function reportOf({ addresses, ecosystem }: Pick<Sandbox, 'addresses' | 'ecosystem'>) {
  const { chain, facilitatorUrl, sellers, discoveryLists } = ecosystem;
  return {
    base_url: addresses.baseUrl,
    alt_url: addresses.altUrl,
    legacy_url: addresses.legacyUrl,
    rpc_url: chain.rpcUrl,
    facilitator_url: facilitatorUrl,
    usdc: USDC,
    pay_to: chain.accounts.seller.address,
    buyer_keys: chain.accounts.buyers.map(({ key }) => key),
    self_test_key: SELF_TEST_KEY,
    sellers: Object.fromEntries(sellers.map(({ name, url }) => [name, url])),
    discovery_lists: discoveryLists,
  };
}
