import { LOOKUP_PRICE, PACK_PRICE, SPOT_CHECK_PRICE_MIN } from '../core/limits.ts';
import {
  LOOKUP_QUERY,
  RECEIPT_ID,
  SERVICE_ID,
  SERVICES_QUERY,
  SPOT_CHECK_QUERY,
  URL_QUERY,
} from '../wire/openapi/parameters.ts';
import { LOOKUP, PACK, SPOT_CHECK } from '../wire/payment/paid-routes.ts';
import { byUrlResponse } from '../wire/responses/by-url-response.ts';
import { singleCrawlReceipt } from '../wire/responses/crawl-receipt-json.ts';
import { liveReceiptShape } from '../wire/responses/live-receipt-json.ts';
import { lookupResponse } from '../wire/responses/lookup-response.ts';
import { packResponse } from '../wire/responses/pack-response.ts';
import { serviceResponse } from '../wire/responses/service-response.ts';
import { servicesResponse } from '../wire/responses/services-response.ts';
import { freeShape, paidShape } from '../wire/responses/spot-check-response.ts';
import type { Tool, ToolPath } from './tool.ts';

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const at = (path: string) => (): ToolPath => ({ kind: 'path', path });

/** Left out by a service without a wallet. */
const SOLD_LOOKUPS =
  '5 free calls per UTC day, shared with the HTTP interface, then 0.02 USDC per call: without a payment the result is an error with the payment requirement. Payment never changes a result.';
const SOLD_CHECKS = '1 free check per UTC day, then 0.01 to 0.25 USDC.';
const DRY_RUNS = 'mode dry-run sends the same request, is free 50 times a day and is never an approval.';

/** The words of a service, and those of a process of one user. */
const RECEIPT_WORDS = {
  stored: ['Every check stores a public receipt.', 'Every check stores a receipt on this machine only.'],
  title: ['A public receipt', 'A receipt of this machine'],
  read: [
    'Read a public receipt by its id, or everything public about a URL: the last check, the last dry run and the weekly crawl.',
    'Read a receipt of this machine by its id, or the last check and the last dry run of a URL here.',
  ],
  dryRun: ['stored as a public receipt', 'stored as a receipt'],
} as const;

const SEARCH_CATALOG: Tool = {
  name: 'search_catalog',
  title: 'Browse known services',
  description:
    'Browse the catalog of x402 services that Assay knows: id, endpoint, listed price, tasks, last unpaid check. Use it to see what exists or to find an id. It does not rank: to choose a service for a task, use lookup. Free and not metered. No match is an empty list. Prices are listed prices, not what the endpoint asks now; use endpoint_spot_check for that.',
  path: at('/v1/services'),
  parameters: SERVICES_QUERY,
  shapes: [[servicesResponse, 3]],
  hints: READS,
  price: null,
};

const GET_SERVICE: Tool = {
  name: 'get_service',
  title: 'One service in full',
  description:
    "Read the facts about one catalog service: its listing, its last unpaid check and Assay's own paid calls with settlement transaction, delivery and known-answer result. Use it when you have an id from search_catalog or lookup; to compare several services, use lookup. Free and not metered. An unknown id is an error with code not_found. Past calls do not guarantee the next one.",
  path: (given) => withId('/v1/services/', given),
  parameters: [{ ...SERVICE_ID, required: true }],
  shapes: [[serviceResponse, 1]],
  hints: READS,
  price: null,
};

const LOOKUP_TOOL: Tool = {
  name: 'lookup',
  title: 'Best service for a task',
  description: `Rank the services for a task by the known-answer pass rate of Assay's own paid calls. Use it to choose a service; to browse without ranking, use search_catalog. ${SOLD_LOOKUPS} No match is an empty list with suggestions. It does not probe the endpoint: use endpoint_spot_check right before paying.`,
  path: at(LOOKUP.path),
  parameters: LOOKUP_QUERY,
  shapes: [[lookupResponse, 1]],
  hints: READS,
  price: LOOKUP_PRICE,
};

const GET_PACK: Tool = {
  name: 'get_overnight_cos_pack',
  title: 'Buy the Overnight Chief of Staff pack',
  description:
    'Buy a digital product: five prompts, a briefing template and a PDF guide for an overnight agent. Use it only when the user wants to buy it; to check an endpoint, use endpoint_spot_check. Always 9 USDC: without a payment the result is an error with the requirement, and most x402 clients refuse more than 1 USD until their spending cap is raised. The same payment returns the same files again for 24 hours.',
  path: at(PACK.path),
  parameters: [],
  shapes: [[packResponse, 1]],
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  price: PACK_PRICE,
};

const SPOT_CHECK_TOOL: Tool = {
  name: 'endpoint_spot_check',
  title: 'Check an endpoint before paying it',
  description: `Send one unpaid request to an x402 endpoint, compare its live 402 with the claimed or listed terms, and answer pay, skip or recheck. Use it right before signing a payment; to find a service, use lookup, to reread a past check, use get_receipt. ${SOLD_CHECKS} ${DRY_RUNS} ${RECEIPT_WORDS.stored[0]} A failing target is a verdict, not an error. It cannot tell whether the seller will deliver.`,
  path: at(SPOT_CHECK.path),
  parameters: SPOT_CHECK_QUERY,
  shapes: [
    [freeShape, 1],
    [paidShape, 1],
  ],
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  price: SPOT_CHECK_PRICE_MIN,
};

const GET_RECEIPT: Tool = {
  name: 'get_receipt',
  title: RECEIPT_WORDS.title[0],
  description: `${RECEIPT_WORDS.read[0]} Use it to show why a payment was made or refused, or to read past results without a new probe; for the current state, use endpoint_spot_check. Free and not metered. Send id or url, not both. If there is no receipt, the result is an error with code not_found or no_receipt. A receipt never changes; an old one says nothing about the current state.`,
  path: receiptPath,
  parameters: [RECEIPT_ID, ...URL_QUERY].map((parameter) => ({ ...parameter, required: false })),
  shapes: [
    [liveReceiptShape, 1],
    [singleCrawlReceipt, 1],
    [byUrlResponse, 1],
  ],
  hints: READS,
  price: null,
};

/** In the order in which they are listed; it never changes. */
export const TOOLS: readonly Tool[] = [
  SEARCH_CATALOG,
  GET_SERVICE,
  LOOKUP_TOOL,
  GET_PACK,
  SPOT_CHECK_TOOL,
  GET_RECEIPT,
];

/** For a service without a wallet: nothing to buy, and no prices. */
export const FREE_TOOLS = unsold({
  lookups: '5 calls per UTC day, shared with the HTTP interface.',
  checks: '1 check per UTC day.',
  dryRuns: DRY_RUNS,
});

/** For a process of one user, which counts nothing: a model that reads of a quota would rather not check. */
export const UNMETERED_TOOLS = unsold({
  lookups: 'Free and not metered.',
  checks: 'Free and not metered.',
  dryRuns: 'mode dry-run sends the same request and is never an approval.',
}).map((tool) => ({
  ...tool,
  title: hereOnly(tool.title),
  description: hereOnly(tool.description),
  parameters: tool.parameters.map((one) => ({ ...one, description: hereOnly(one.description) })),
}));

function hereOnly(text: string): string {
  return Object.values(RECEIPT_WORDS).reduce((words, [there, here]) => words.replace(there, here), text);
}

function unsold(words: Readonly<Record<'lookups' | 'checks' | 'dryRuns', string>>): readonly Tool[] {
  return TOOLS.filter((tool) => tool !== GET_PACK).map((tool) => ({
    ...tool,
    description: tool.description
      .replace(SOLD_LOOKUPS, words.lookups)
      .replace(SOLD_CHECKS, words.checks)
      .replace(DRY_RUNS, words.dryRuns),
    price: null,
  }));
}

function receiptPath(given: ReadonlyMap<string, string>): ToolPath {
  if (given.has('id') === given.has('url')) {
    return {
      kind: 'fault',
      field: given.has('id') ? 'url' : 'id',
      detail: 'Send either id or url.',
    };
  }
  return given.has('id') ? withId('/v1/receipts/', given) : { kind: 'path', path: '/v1/receipts/by-url' };
}

const ID = /^[A-Za-z0-9-]{1,64}$/;

/** Nothing but an id gets into a path: what has another form can be no id. */
function withId(before: string, given: ReadonlyMap<string, string>): ToolPath {
  const id = given.get('id');
  if (id === undefined) return { kind: 'fault', field: 'id', detail: 'id must be sent.' };
  if (!ID.test(id)) {
    return { kind: 'fault', field: 'id', detail: 'id must be 1 to 64 letters, digits or hyphens.' };
  }
  return { kind: 'path', path: before + id, taken: 'id' };
}
