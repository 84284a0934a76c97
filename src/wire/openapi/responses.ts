import type { PaidRoute } from '../payment/paid-routes.ts';
import { paymentRequired } from '../payment/payment-required.ts';
import { checkNow } from '../responses/by-url-response.ts';
import type { Links } from '../responses/links.ts';
import { PROBLEMS, type ProblemCode, problemJson } from '../responses/problem.ts';
import { blockedJson } from '../responses/spot-check-response.ts';
import { type JsonObject, type ShapeName, schemaRef } from './component-schemas.ts';
import { ENDPOINT, WALLET } from './examples/example-values.ts';
import type { Example } from './examples/examples.ts';
import { PROBLEM_GUIDE } from './problem-guide.ts';
import { type HeaderName, headerRefs } from './response-headers.ts';

/** A status and its response. */
export type Responses = Readonly<Record<string, JsonObject>>;

export const JSON_TYPE = 'application/json';
const PROBLEM_TYPE = 'application/problem+json';

/** A 200 with one of these bodies. */
export function ok(
  description: string,
  examples: Readonly<Record<string, Example>>,
  ...headers: readonly HeaderName[]
): Responses {
  return {
    200: {
      description,
      headers: headerRefs('X-Request-Id', ...headers),
      content: { [JSON_TYPE]: mediaType(examples) },
    },
  };
}

/** With several shapes, the schema is their anyOf. */
export function mediaType(examples: Readonly<Record<string, Example>>): JsonObject {
  const shapes = [...new Set(Object.values(examples).map(({ shape }) => shape))];
  const [first, ...others] = shapes.map(schemaRef);
  return {
    schema: others.length === 0 ? first : { anyOf: [first, ...others] },
    examples: Object.fromEntries(
      Object.entries(examples).map(([name, { summary, value }]) => [name, { summary, value }]),
    ),
  };
}

/** The body is the payment requirement, not a problem (gap G60). */
export function paymentResponse(
  route: PaidRoute,
  method: 'GET' | 'POST',
  { links, payTo }: { readonly links: Links; readonly payTo: string | null },
  ...headers: readonly HeaderName[]
): Responses {
  const value = paymentRequired({
    route,
    method,
    price: { amount: route.price, payTo: payTo ?? WALLET },
    base: links.base,
    error: 'Payment required',
  });
  return {
    402: {
      description:
        'Payment required. Pay one entry of accepts and repeat the request with the payment. With the request header X-402-Version: 1 the body has the form of version 1.',
      headers: headerRefs('X-Request-Id', 'PAYMENT-REQUIRED', ...headers),
      content: { [JSON_TYPE]: { schema: schemaRef('PaymentRequired'), example: value } },
    },
  };
}

/** Responses of every operation. */
const EVERYWHERE: Responses = {
  405: { $ref: '#/components/responses/MethodNotAllowed' },
  500: { $ref: '#/components/responses/InternalError' },
};

export const NOT_MODIFIED: Responses = { 304: { $ref: '#/components/responses/NotModified' } };

/** The mistake in the example of a 400. */
export interface Fault {
  readonly field: string;
  readonly detail: string;
}

/** Error answers, by the status that their codes have, with those of a caller or a service that is too busy (gap G102). */
export function problems(links: Links, codes: readonly ProblemCode[], fault?: Fault): Responses {
  return unlimitedProblems(links, [...codes, 'read_limit', 'address_busy', 'overloaded'], fault);
}

/** Those of a route without limits. */
export function unlimitedProblems(links: Links, all: readonly ProblemCode[], fault?: Fault): Responses {
  const statuses = new Set(all.map((code) => PROBLEMS[code].status));
  const own = [...statuses].map((status) => {
    const those = all.filter((code) => PROBLEMS[code].status === status);
    return [status, problemResponse(those, { links, fault })];
  });
  return { ...EVERYWHERE, ...Object.fromEntries(own) };
}

export function sharedResponses(links: Links): Readonly<Record<string, JsonObject>> {
  return {
    NotModified: {
      description: 'Not modified since the response named in If-None-Match.',
      headers: headerRefs('X-Request-Id', 'ETag', 'Cache-Control'),
    },
    MethodNotAllowed: problemResponse(['method_not_allowed'], { links }, 'Allow'),
    InternalError: problemResponse(['internal_error'], { links }),
  };
}

interface ProblemSetting {
  readonly links: Links;
  readonly fault?: Fault | undefined;
}

function problemResponse(
  codes: readonly ProblemCode[],
  setting: ProblemSetting,
  ...headers: readonly HeaderName[]
): JsonObject {
  const retry = codes.some((code) => RETRIED.has(PROBLEMS[code].status));
  const examples = codes.map((code): [string, Example] => [code, problemExample(code, setting)]);
  return {
    description: `${codes.map((code) => PROBLEMS[code].title).join('; ')}.`,
    headers: headerRefs('X-Request-Id', ...(retry ? (['Retry-After'] as const) : []), ...headers),
    content: { [PROBLEM_TYPE]: mediaType(Object.fromEntries(examples)) },
  };
}

/** None of these goes out without Retry-After (gap G85). */
const RETRIED: ReadonlySet<number> = new Set([429, 503]);

function problemExample(code: ProblemCode, { links, fault }: ProblemSetting): Example {
  const { detail, field } = (code === 'bad_request' ? fault : undefined) ?? PROBLEM_GUIDE[code];
  const { shape, members } = beyondProblem(code, links);
  const problem = { code, detail, members, ...(field === undefined ? {} : { field }) };
  const value = problemJson(problem, { instance: INSTANCE, base: links.base });
  return { shape, summary: PROBLEMS[code].title, value };
}

const INSTANCE = '5f0c8a52-4d1e-4f0a-9a53-0f0b7f3a2c11';

/** Two problems have members of their own. */
function beyondProblem(code: ProblemCode, links: Links): { shape: ShapeName; members: JsonObject } {
  if (code === 'ssrf_blocked') return { shape: 'BlockedProblem', members: blockedJson(null) };
  if (code === 'no_receipt') return { shape: 'NoReceiptProblem', members: checkNow(ENDPOINT, links) };
  return { shape: 'Problem', members: {} };
}
