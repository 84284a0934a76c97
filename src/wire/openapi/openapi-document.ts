import type { Service } from '../../core/catalog/read-catalog.ts';
import { INTERFACE_VERSION } from '../../core/interface-version.ts';
import {
  FREE_LOOKUPS_PER_DAY,
  LOOKUP_PRICE,
  PAYMENT_HEADER_MAX_CHARS,
  SPOT_CHECK_PRICE_MAX,
  SPOT_CHECK_PRICE_MIN,
} from '../../core/limits.ts';
import { formatUsd } from '../../core/money/micro-usd.ts';
import { linksAt } from '../responses/links.ts';
import { componentSchemas } from './component-schemas.ts';
import { examplesAt } from './examples/examples.ts';
import { exampled, knownService } from './examples/known-service.ts';
import type { Frame } from './frame.ts';
import type { JsonObject } from './json-schema.ts';
import { SPOT_CHECK_QUERY, spotCheckBody } from './parameters.ts';
import { correctionsPath } from './paths/corrections-path.ts';
import { freePaths } from './paths/free-paths.ts';
import { mcpPath } from './paths/mcp-path.ts';
import { paidPaths } from './paths/paid-paths.ts';
import { SELLER_STATEMENT, sellerPaths, WEBHOOKS } from './paths/seller-paths.ts';
import { snapshotPaths } from './paths/snapshot-paths.ts';
import { PROMISES, TAGLINE } from './promises.ts';
import { HEADERS } from './response-headers.ts';
import { sharedExamples, sharedResponses } from './responses.ts';
import { TERMS_HASH_EXAMPLE, TERMS_HASH_RULE } from './terms-hash.ts';
import { withoutPack, withoutSales } from './without-sales.ts';

export interface OpenApiParts {
  /** The address that the document is read at; its links and examples stay there (gap G80). */
  readonly base: string;
  readonly others: readonly string[];
  /** Null when nothing can be bought. */
  readonly payTo: string | null;
  /** A mailto: or web address. */
  readonly contact: string;
  /** The service of the catalog that examples of requests name. */
  readonly example?: Service | null;
}

/** The OpenAPI document, generated from the schemas that validate requests and answers. */
export function openApiDocument({ base, others, payTo, contact, example = null }: OpenApiParts): JsonObject {
  const links = linksAt(base);
  const frame: Frame = {
    links,
    payTo,
    examples: examplesAt(links, payTo !== null),
    known: knownService(example),
  };
  const paths = {
    ...(payTo === null ? withoutSales(paidPaths(frame)) : paidPaths(frame)),
    ...freePaths(frame),
    ...snapshotPaths(frame),
    ...correctionsPath(frame),
    ...sellerPaths(frame),
    ...mcpPath(frame),
  };
  const responses = sharedResponses(links);
  return {
    openapi: '3.1.0',
    info: infoOf(contact, payTo !== null),
    servers: [base, ...others].map((url) => ({ url })),
    tags: payTo === null ? TAGS.filter(({ name }) => name !== 'Product') : TAGS,
    paths,
    webhooks: WEBHOOKS,
    components: {
      schemas: {
        ...(payTo === null ? withoutPack(componentSchemas()) : componentSchemas()),
        SpotCheckRequest: spotCheckBody(exampled(SPOT_CHECK_QUERY, frame.known)),
        SellerStatement: SELLER_STATEMENT,
      },
      parameters: payTo === null ? { IfNoneMatch: HEADER_PARAMETERS['IfNoneMatch'] } : HEADER_PARAMETERS,
      headers: HEADERS,
      responses,
      examples: usedExamples(sharedExamples(frame), { paths, responses }),
    },
  };
}

/** Without a wallet nothing refers to the examples of what is sold. */
function usedExamples(examples: Readonly<Record<string, JsonObject>>, document: JsonObject): JsonObject {
  const text = JSON.stringify(document);
  const used = Object.entries(examples).filter(([name]) => text.includes(`#/components/examples/${name}"`));
  return Object.fromEntries(used);
}

function infoOf(contact: string, sells: boolean): JsonObject {
  return {
    title: 'Assay',
    version: INTERFACE_VERSION,
    summary: 'Ask before you pay an x402 endpoint',
    description: [TAGLINE, '', ...PROMISES.map((promise) => `- ${promise}`), '', MANNERS].join('\n'),
    contact: contactOf(contact),
    license: { name: 'MIT', identifier: 'MIT' },
    'x-guidance': guidance(sells).join('\n'),
  };
}

const MANNERS =
  'Errors are application/problem+json (RFC 9457) with a stable code, except 402, whose body is the payment requirement. HEAD mirrors GET and costs nothing. Times are UTC.';

const guidance = (sells: boolean): string[] => [
  'Before you pay an x402 endpoint, call GET /v1/products/endpoint-spot-check?url=<endpoint>&claimed_price=<USD you expect>.',
  `pay: sign exactly the approved payment and nothing else: ${sells ? 'payment in a paid response, ' : ''}approved_payment in the receipt at receipt_url after a free check, whose response has no payment object. skip: do not pay. recheck: check again later.`,
  `payment_terms_sha256: ${TERMS_HASH_RULE} Example: sha256("${TERMS_HASH_EXAMPLE.text}") = ${TERMS_HASH_EXAMPLE.sha256}`,
  'check_type says who asked (self-checked: our own test client; dry-run: everybody else, in live mode too), never the mode.',
  `The first check of a UTC day is free${sells ? `; later ones cost a tenth of the endpoint's price, ${formatUsd(SPOT_CHECK_PRICE_MIN)} to ${formatUsd(SPOT_CHECK_PRICE_MAX)} USD` : ''}. mode=dry-run sends the same request, stores a public receipt and is free, but never an approval.`,
  `To find an endpoint for a task, call GET /v1/lookup?task=<name>&max_price=<USD>; GET /v1/tasks lists the names. ${FREE_LOOKUPS_PER_DAY} lookups a day are free${sells ? `, then ${formatUsd(LOOKUP_PRICE)} USD; GET /v1/lookup/paid has no free calls` : ''}.`,
  'Receipts are public and free: GET /v1/receipts/by-url?url=<endpoint> returns them for one URL without a new check.',
  `${sells ? 'On 402, pay one entry of accepts and repeat the request with PAYMENT-SIGNATURE. ' : ''}On 429 and 503, wait for Retry-After seconds.`,
];

function contactOf(contact: string): JsonObject {
  const name = 'Assay';
  if (!contact.startsWith('mailto:')) return { name, url: contact };
  return { name, email: decodeURIComponent(contact.slice('mailto:'.length).split('?', 1).join('')) };
}

const TAGS: readonly JsonObject[] = [
  { name: 'Lookup', description: 'Reliable services for a task, at or under a price.' },
  { name: 'Spot-check', description: 'One unpaid request to one endpoint, and a verdict whether to pay it.' },
  { name: 'Product', description: 'A digital product at a fixed price.' },
  { name: 'Receipts', description: 'Every stored decision, public and free.' },
  { name: 'Sellers', description: 'For owners of endpoints, who prove control of their host.' },
  { name: 'Operation', description: 'For operators.' },
];

const HEADER_PARAMETERS: Readonly<Record<string, JsonObject>> = {
  PaymentSignature: header(
    'PAYMENT-SIGNATURE',
    'The payment of x402, base64-encoded JSON, as an x402 client makes it from PAYMENT-REQUIRED. Ignored while free calls are left.',
    { type: 'string', maxLength: PAYMENT_HEADER_MAX_CHARS },
  ),
  XPayment: header('X-PAYMENT', 'The older name of PAYMENT-SIGNATURE. Both headers accept both versions.', {
    type: 'string',
    maxLength: PAYMENT_HEADER_MAX_CHARS,
  }),
  X402Version: header(
    'X-402-Version',
    'Form of a 402 body. 1: PaymentRequiredV1, for clients of x402 version 1; 2: PaymentRequired. PAYMENT-REQUIRED stays version 2.',
    { type: 'string', enum: ['1', '2'], default: '2' },
    '1',
  ),
  IfNoneMatch: header(
    'If-None-Match',
    'The ETag of an earlier response: 304 if it has not changed.',
    { type: 'string' },
    '"b1946ac92492d2347c6235b4d26"',
  ),
};

function header(name: string, description: string, schema: JsonObject, example?: string): JsonObject {
  const shown = example === undefined ? {} : { example };
  return { name, in: 'header', required: false, description, schema, ...shown };
}
