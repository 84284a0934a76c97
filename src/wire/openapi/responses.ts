import { withdrawalStub } from '../../core/statement/withdrawal-stub.ts';
import { LOOKUP_PAID, type PaidRoute } from '../payment/paid-routes.ts';
import { type Demand, paymentRequired, paymentRequiredV1 } from '../payment/payment-required.ts';
import { checkNow } from '../responses/by-url-response.ts';
import type { Links } from '../responses/links.ts';
import { PROBLEMS, type ProblemCode, problemJson } from '../responses/problem.ts';
import { blockedJson } from '../responses/spot-check-response.ts';
import { type ShapeName, schemaRef } from './component-schemas.ts';
import type { Example } from './examples/example.ts';
import { CHECKED_AT, ENDPOINT, LIVE_ID, TREE_ROOT, WALLET } from './examples/example-values.ts';
import { CACHED, type Frame } from './frame.ts';
import type { JsonObject } from './json-schema.ts';
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

/** The same for people. */
export const HTML_PAGE: JsonObject = { schema: { type: 'string' }, example: '<!doctype html> ...' };

/** With several shapes, the schema is their anyOf. */
export function mediaType(examples: Readonly<Record<string, Example>>): JsonObject {
  const shapes = [...new Set(Object.values(examples).map(({ shape }) => shape))];
  const [first, ...others] = shapes.map(schemaRef);
  return {
    schema: others.length === 0 ? first : { anyOf: [first, ...others] },
    examples: Object.fromEntries(Object.entries(examples).map(([name, example]) => [name, shown(example)])),
  };
}

/** A shared example is in the document once. */
function shown({ shared, summary, value }: Example): JsonObject {
  return shared === undefined ? { summary, value } : { $ref: `#/components/examples/${shared}` };
}

/** Every example that several routes, or several problems, refer to. */
export function sharedExamples({ links, payTo, examples }: Frame): Readonly<Record<string, JsonObject>> {
  const problems = Object.keys(PROBLEMS).filter((code): code is ProblemCode => !IN_PLACE.has(code));
  const all: readonly Example[] = [
    ...Object.values(examples),
    versionOneExample(links, payTo),
    ...problems.map((code) => problemExample(code, { links })),
  ];
  return Object.fromEntries(all.map(({ shared = '', summary, value }) => [shared, { summary, value }]));
}

/** An example of its own at each route, or no part of a response: the connection ends before there is a route. */
const IN_PLACE: ReadonlySet<string> = new Set(['bad_request', 'request_timeout', 'headers_too_large']);

/** The body is the payment requirement, not a problem (gap G60). */
export function paymentResponse(
  route: PaidRoute,
  method: 'GET' | 'POST',
  { links, payTo }: Pick<Frame, 'links' | 'payTo'>,
  ...headers: readonly HeaderName[]
): Responses {
  const required = paymentRequired(demandOf(route, method, { links, payTo }));
  const { 'payment-identifier': identifier } = required.extensions;
  // Without what only payment directories read.
  const value = { ...required, extensions: { 'payment-identifier': identifier } };
  return {
    402: {
      description:
        'Payment required. Pay one entry of accepts and repeat the request with the payment. With the request header X-402-Version: 1 the body has the form of version 1.',
      headers: headerRefs('X-Request-Id', 'PAYMENT-REQUIRED', ...headers),
      content: {
        [JSON_TYPE]: mediaType({
          version2: { shape: 'PaymentRequired', summary: 'Payment required', value },
          version1: versionOneExample(links, payTo),
        }),
      },
    },
  };
}

function demandOf(
  route: PaidRoute,
  method: 'GET' | 'POST',
  { links, payTo }: Pick<Frame, 'links' | 'payTo'>,
): Demand {
  const price = { amount: route.price, payTo: payTo ?? WALLET };
  return { route, method, price, base: links.base, error: 'Payment required' };
}

function versionOneExample(links: Links, payTo: string | null): Example {
  const value = paymentRequiredV1(demandOf(LOOKUP_PAID, 'GET', { links, payTo }));
  const input = { type: 'http', method: 'GET', discoverable: true };
  const accepts = value.accepts.map((one) => ({ ...one, outputSchema: { input } }));
  return {
    shape: 'PaymentRequiredV1',
    summary: 'With X-402-Version: 1, here of the paid lookup',
    value: { ...value, accepts },
    shared: 'payment_required_v1',
  };
}

/** Responses of every operation. */
const EVERYWHERE: Responses = { 405: responseRef('MethodNotAllowed'), 500: responseRef('InternalError') };

export const NOT_MODIFIED: Responses = { 304: responseRef('NotModified') };

/** The problems of most operations. */
const SHARED: readonly (readonly [name: string, codes: readonly ProblemCode[]])[] = [
  ['TooManyRequests', ['read_limit', 'address_busy']],
  ['Unavailable', ['store_unavailable', 'overloaded']],
];

function responseRef(name: string): JsonObject {
  return { $ref: `#/components/responses/${name}` };
}

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
    const [shared] = SHARED.find(([, codes]) => codes.join() === those.join()) ?? [];
    return [status, shared === undefined ? problemResponse(those, { links, fault }) : responseRef(shared)];
  });
  return { ...EVERYWHERE, ...Object.fromEntries(own) };
}

export function sharedResponses(links: Links): Readonly<Record<string, JsonObject>> {
  return {
    NotModified: {
      description: 'Not modified since the response named in If-None-Match.',
      headers: headerRefs('X-Request-Id', ...CACHED),
    },
    MethodNotAllowed: problemResponse(['method_not_allowed'], { links }, 'Allow'),
    InternalError: problemResponse(['internal_error'], { links }),
    ...Object.fromEntries(SHARED.map(([name, codes]) => [name, problemResponse(codes, { links })])),
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
  const shared = IN_PLACE.has(code) ? {} : { shared: code };
  const { shape, members } = beyondProblem(code, links);
  const problem = { code, detail, members, ...(field === undefined ? {} : { field }) };
  const value = problemJson(problem, { instance: INSTANCE, base: links.base });
  return { shape, summary: PROBLEMS[code].title, value, ...shared };
}

const WITHDRAWAL = withdrawalStub({
  id: LIVE_ID,
  sha256: TREE_ROOT,
  because: 'secret',
  at: new Date(CHECKED_AT),
});
const INSTANCE = '5f0c8a52-4d1e-4f0a-9a53-0f0b7f3a2c11';

/** Some problems have members of their own. */
function beyondProblem(code: ProblemCode, links: Links): { shape: ShapeName; members: JsonObject } {
  if (code === 'ssrf_blocked') return { shape: 'BlockedProblem', members: blockedJson(null) };
  if (code === 'no_receipt') return { shape: 'NoReceiptProblem', members: checkNow(ENDPOINT, links) };
  if (code === 'withdrawn') return { shape: 'WithdrawnProblem', members: { withdrawal: WITHDRAWAL } };
  return { shape: 'Problem', members: {} };
}
