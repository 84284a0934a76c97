import { FREE_LOOKUPS_PER_DAY, FREE_SPOT_CHECKS_PER_DAY } from '../../../core/limits.ts';
import { formatUsd } from '../../../core/money/micro-usd.ts';
import { LOOKUP, LOOKUP_PAID, PACK, SPOT_CHECK } from '../../payment/paid-routes.ts';
import { schemaRef } from '../component-schemas.ts';
import { exampled } from '../examples/known-service.ts';
import { type Frame, linkTo, type Paths, parameterRef } from '../frame.ts';
import type { JsonObject } from '../json-schema.ts';
import { LOOKUP_PAID_QUERY, LOOKUP_QUERY, SPOT_CHECK_QUERY } from '../parameters.ts';
import { paymentInfo } from '../payment-info.ts';
import { JSON_TYPE, ok, paymentResponse, problems, type Responses } from '../responses.ts';

const PAYMENT_HEADERS: readonly JsonObject[] = ['PaymentSignature', 'XPayment', 'X402Version'].map(
  parameterRef,
);

/** The paid paths. */
export function paidPaths(frame: Frame): Paths {
  return {
    [LOOKUP.path]: { get: lookup(frame) },
    [LOOKUP_PAID.path]: { get: lookupPaid(frame) },
    [SPOT_CHECK.path]: { get: spotCheck(frame), post: spotCheckPost(frame) },
    [PACK.path]: { get: pack(frame, 'GET'), post: pack(frame, 'POST') },
  };
}

/** Problems of every paid operation. */
const PAYMENT_PROBLEMS = [
  'payment_reused',
  'payment_delivered',
  'payment_busy',
  'verification_limit',
  'replay_limit',
  'store_unavailable',
  'facilitator_unavailable',
  'settlement_pending',
  'payments_unavailable',
] as const;

const LIMIT_FAULT = { field: 'limit', detail: 'limit must be a whole number from 1 to 20.' };

function lookup(frame: Frame): JsonObject {
  const { links, examples } = frame;
  const { lookupFree, lookupNothing } = examples;
  return {
    operationId: 'lookup',
    tags: ['Lookup'],
    summary: 'Services for a task, ranked by known-answer pass rate over our own paid calls',
    description: `${FREE_LOOKUPS_PER_DAY} free lookups per caller and UTC day${frame.payTo === null ? '' : `, then ${formatUsd(LOOKUP.price)} USD each`}. Send task or endpoint.`,
    security: [],
    'x-payment-info': paymentInfo(LOOKUP, frame.payTo),
    parameters: [...exampled(LOOKUP_QUERY, frame.known), ...PAYMENT_HEADERS],
    responses: {
      ...ok(
        'The services found. If nothing matches: empty lists and suggestions.',
        { lookupFree, lookupNothing },
        'RateLimit',
        'RateLimit-Policy',
        'PAYMENT-RESPONSE',
      ),
      ...paymentResponse(LOOKUP, 'GET', frame, 'RateLimit', 'RateLimit-Policy'),
      ...problems(links, ['bad_request', ...PAYMENT_PROBLEMS], LIMIT_FAULT),
    },
  };
}

function lookupPaid(frame: Frame): JsonObject {
  const { links, payTo, examples } = frame;
  const { lookupPaid: answer } = examples;
  return {
    operationId: 'lookupPaid',
    tags: ['Lookup'],
    summary: 'The same lookup without free calls: always paid',
    description: `Same parameters and same results as ${LOOKUP.path}. Without a payment the response is always 402. Bad parameters are answered with 400 before settlement and cost nothing.`,
    security: [],
    'x-payment-info': paymentInfo(LOOKUP_PAID, payTo),
    parameters: [...exampled(LOOKUP_PAID_QUERY, frame.known), ...PAYMENT_HEADERS],
    responses: {
      ...ok('The services found.', { lookupPaid: answer }, 'PAYMENT-RESPONSE'),
      ...paymentResponse(LOOKUP_PAID, 'GET', frame),
      ...problems(links, ['bad_request', ...PAYMENT_PROBLEMS], LIMIT_FAULT),
    },
  };
}

const PAYMENT_FAULT = {
  field: 'PAYMENT-SIGNATURE',
  detail: 'PAYMENT-SIGNATURE and X-PAYMENT carry different payments; neither was used.',
};

const checkWords = ({ payTo }: Frame) =>
  `One unpaid request to the URL, one more with input if it is listed and requires input first, one verdict, one public receipt. ${FREE_SPOT_CHECKS_PER_DAY} free check per caller and UTC day${payTo === null ? '' : ", then a tenth of the endpoint's price"}. mode=dry-run sends the same unpaid request and stores a public receipt; it is free, limited per day and never an approval. A failure of the endpoint is a 200 with a verdict. Receipts are public: do not send a URL that must stay secret.`;

function spotCheck(frame: Frame): JsonObject {
  return {
    operationId: 'spotCheck',
    tags: ['Spot-check'],
    summary: 'Should I pay this endpoint? pay, skip or recheck',
    description: checkWords(frame),
    security: [],
    'x-payment-info': paymentInfo(SPOT_CHECK, frame.payTo),
    parameters: [...exampled(SPOT_CHECK_QUERY, frame.known), ...PAYMENT_HEADERS],
    responses: checkResponses(frame, 'GET'),
  };
}

function spotCheckPost(frame: Frame): JsonObject {
  return {
    operationId: 'spotCheckPost',
    tags: ['Spot-check'],
    summary: 'The same check with its parameters in a JSON body',
    description: `${checkWords(frame)} A parameter may also be in the query, but not with another value.`,
    security: [],
    'x-payment-info': paymentInfo(SPOT_CHECK, frame.payTo),
    parameters: PAYMENT_HEADERS,
    requestBody: {
      description: 'At most 16 kB. Unknown members are ignored.',
      required: true,
      content: {
        [JSON_TYPE]: {
          schema: schemaRef('SpotCheckRequest'),
          example: { url: frame.known.url, claimed_price: Number(frame.known.priceUsd) },
        },
      },
    },
    responses: checkResponses(frame, 'POST'),
  };
}

/** Routes about the receipt of a check. */
const RECEIPT_LINKS = Object.fromEntries(
  ['receipt', 'receiptStatement', 'receiptProof', 'receiptTlogProof'].map((operationId) => [
    operationId,
    linkTo(operationId, 'id', '/receipt_id'),
  ]),
);

function checkResponses(frame: Frame, method: 'GET' | 'POST'): Responses {
  const { links, examples } = frame;
  const { checkFree, checkPaid } = examples;
  const body = method === 'POST' ? (['body_too_large', 'unsupported_media_type'] as const) : [];
  const { 200: verdict } = ok(
    'A verdict, in the free shape for free checks and dry runs, in the paid shape for paid checks.',
    { checkFree, checkPaid },
    'RateLimit',
    'RateLimit-Policy',
    'Receipt-SHA256',
    'Receipt-Promise',
    'PAYMENT-RESPONSE',
  );
  return {
    200: { ...verdict, links: RECEIPT_LINKS },
    ...paymentResponse(SPOT_CHECK, method, frame, 'RateLimit', 'RateLimit-Policy'),
    ...problems(
      links,
      [
        'bad_request',
        'ssrf_blocked',
        ...body,
        'dry_run_limit',
        'target_busy',
        'quote_limit',
        'paid_limit',
        ...PAYMENT_PROBLEMS,
      ],
      { field: 'url', detail: 'url must be sent.' },
    ),
  };
}

function pack(frame: Frame, method: 'GET' | 'POST'): JsonObject {
  const { links, payTo, examples } = frame;
  const { pack: answer } = examples;
  return {
    operationId: method === 'GET' ? 'getPack' : 'postPack',
    tags: ['Product'],
    summary: PACK.description,
    description: `${formatUsd(PACK.price)} USD, no free calls. GET and POST are the same; a body is ignored. For 24 hours the same payment returns the pack again to the network that paid.`,
    security: [],
    'x-payment-info': paymentInfo(PACK, payTo),
    parameters: PAYMENT_HEADERS,
    responses: {
      ...ok('The pack.', { pack: answer }, 'PAYMENT-RESPONSE'),
      ...paymentResponse(PACK, method, frame),
      ...problems(links, ['bad_request', ...PAYMENT_PROBLEMS], PAYMENT_FAULT),
    },
  };
}
