import {
  DRY_RUNS_PER_DAY,
  FREE_LOOKUPS_PER_DAY,
  FREE_SPOT_CHECKS_PER_DAY,
  LOOKUP_PRICE,
  PACK_PRICE,
  SPOT_CHECK_PRICE_MAX,
  SPOT_CHECK_PRICE_MIN,
} from '../../core/limits.ts';
import { formatUsd } from '../../core/money/micro-usd.ts';
import { PROMISES, TAGLINE } from '../../wire/openapi/promises.ts';
import { TERMS_HASH_EXAMPLE, TERMS_HASH_RULE } from '../../wire/openapi/terms-hash.ts';
import { LOOKUP, LOOKUP_PAID, PACK } from '../../wire/payment/paid-routes.ts';
import type { Links } from '../../wire/responses/links.ts';

/** /llms.txt: the service on one page, for a model that decides whether and how to call it. Without a wallet no price is named. */
export function llmsText(links: Links, sells: boolean): string {
  const { base, openapi } = links;
  return [
    '# Assay',
    '',
    `> ${TAGLINE}`,
    '',
    `Send GET requests; responses are JSON. No account and no key.${sells ? ' Paid calls are paid per call with x402.' : ''}`,
    ...section('Verdicts', VERDICTS),
    '',
    'Only a live check can approve a payment. A dry run (mode dry-run) sends the same unpaid request and stores a public receipt, but is never an approval, even with verdict pay: its payment_terms_sha256 and approved_payment are null.',
    ...section('The approved payment', sells ? [...APPROVED, APPROVED_PAID] : APPROVED),
    ...section('Routes', routes(links, sells)),
    ...(sells ? section('Prices', PRICES) : section('Limits', LIMITS)),
    ...section('Promises', PROMISES),
    ...section('More', [
      link(
        'MCP server',
        `${base}/mcp`,
        'the same operations as tools: POST JSON-RPC, tools/list names them; all revisions of MCP.',
      ),
      link('OpenAPI 3.1', openapi, 'every parameter, response and error.'),
      link('Docs', `${base}/docs`, 'the rules of the verdicts in order, for agents, routers and sellers.'),
      link('Method', `${base}/method`, 'how verdicts and grades are made, and how often they are wrong.'),
      link(
        'For sellers',
        `${base}/sellers`,
        'why an endpoint is skipped, and what its owner can do: re-test, reply, watch, badge.',
      ),
      link('Error codes', `${base}/problems`, 'what each code means and what to do.'),
      link('The prober', `${base}/prober`, 'who sends requests to endpoints, and how to opt out.'),
    ]),
    '',
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string[] {
  return ['', `## ${title}`, '', ...lines.map((line) => `- ${line}`)];
}

function link(title: string, href: string, use: string): string {
  return `[${title}](${href}): ${use}`;
}

const VERDICTS = [
  'pay: the live 402 matches what was expected. Sign exactly the approved payment (below) and nothing else.',
  'skip: do not pay. Something differs, cannot be read, or there is no paywall.',
  'recheck: no decision (timeout, HTTP 5xx, no connection, free trial). Check again later.',
];

const APPROVED = [
  'A free check has six members and no payment object: GET receipt_url and sign its approved_payment.',
  'Sign before its deadline, for at most max_timeout_seconds, the same network, asset, amount.atomic and pay_to.',
  `payment_terms_sha256 is the same in the response and in the receipt: ${TERMS_HASH_RULE} Compute it from what you are about to sign, and do not sign if it differs.`,
  `Example: sha256("${TERMS_HASH_EXAMPLE.text}") = ${TERMS_HASH_EXAMPLE.sha256}`,
  'check_type is the kind of caller (self-checked: our own test client; dry-run: everybody else, in live mode too). It is not the mode: that is mode of the receipt.',
];
const APPROVED_PAID =
  'A paid check has it as payment in the response itself; its receipt has the same object as approved_payment.';

function routes({ base, spotCheck, receipts, skips, skipsJson, tasks }: Links, sells: boolean): string[] {
  const ifSold = (line: string) => (sells ? [line] : []);
  return [
    link(
      'Check an endpoint',
      spotCheck,
      '?url=<endpoint>&claimed_price=<USD you expect>; also pay_to, network, method, task, ref, client, mode=dry-run.',
    ),
    link(
      'Find a service',
      base + LOOKUP.path,
      '?task=<name>&max_price=<USD>; or ?endpoint=<id or URL>. Each result has example: one request that the service accepts.',
    ),
    ...ifSold(link('Find a service, always paid', base + LOOKUP_PAID.path, 'the same without free calls.')),
    link('Browse the catalog', `${base}/v1/services`, '?query=<words>&category=<name>; free and not ranked.'),
    link('One service', `${base}/v1/services/{id}`, 'its listing, last check and our last paid calls.'),
    link('One host', `${base}/v1/hosts/{host}`, 'its endpoints, verdicts over time, payees and changes.'),
    link(
      'One payee',
      `${base}/v1/payees/{address}`,
      'endpoints that ask to pay it, and endpoints that are listed with it but ask to pay another.',
    ),
    link('Task names', tasks, 'task name to service ids.'),
    link('Receipts of a URL', `${receipts}/by-url`, '?url=<endpoint>; past decisions without a new check.'),
    link('Receipts', receipts, '?type=live or ?type=dry-run for spot-checks, without type the latest crawl.'),
    link('One receipt', `${receipts}/{id}`, 'a permanent record of one decision.'),
    link('Proof of a receipt', `${receipts}/{id}/proof`, 'verifies it offline; available after two seconds.'),
    link(
      'Endpoints to skip',
      skipsJson,
      `listed endpoints whose 402 contradicts the listing; filter with reason, list, network, host, q. ${skips} for people, .csv for spreadsheets, .atom for new ones.`,
    ),
    link(
      'Changes of a URL',
      `${base}/v1/watch.atom`,
      '?url=<endpoint>; Atom feed of verdict, price and payee.',
    ),
    link('Badge', `${base}/badge.svg`, '?url=<endpoint>; the latest verdict as a small image, for sellers.'),
    link(
      'Corrections',
      `${base}/v1/corrections`,
      'verdicts that proved wrong, and how many receipts were withdrawn. A receipt itself never changes.',
    ),
    ...ifSold(link('Setup pack', base + PACK.path, `${PACK.description}.`)),
  ];
}

const PRICES = [
  `Check: ${FREE_SPOT_CHECKS_PER_DAY} free per caller and UTC day, then a tenth of the endpoint's price, ${formatUsd(SPOT_CHECK_PRICE_MIN)} to ${formatUsd(SPOT_CHECK_PRICE_MAX)} USD. Dry runs are free, ${DRY_RUNS_PER_DAY} a day.`,
  `Lookup: ${FREE_LOOKUPS_PER_DAY} free per caller and UTC day, then ${formatUsd(LOOKUP_PRICE)} USD.`,
  `Setup pack: ${formatUsd(PACK_PRICE)} USD.`,
  'Everything else is free. On HTTP 402, pay what accepts says (USDC on Base) and repeat the request with the header PAYMENT-SIGNATURE.',
];

const LIMITS = [
  `Everything is free and nothing is sold. Per caller and UTC day: ${FREE_SPOT_CHECKS_PER_DAY} check, ${DRY_RUNS_PER_DAY} dry runs, ${FREE_LOOKUPS_PER_DAY} lookups; all else without a quota.`,
  'Beyond that a check or a lookup is HTTP 503 with code payments_unavailable until 00:00 UTC; Retry-After has the seconds.',
];
