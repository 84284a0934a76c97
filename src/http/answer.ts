import { createHash } from 'node:crypto';
import { PROBLEMS, type Problem, problemJson } from '../wire/problem.ts';
import type { BadRequest } from '../wire/reading.ts';
import type { Exchange } from './exchange.ts';

export type Headers = Readonly<Record<string, string>>;

/** What a browser may read of our answers (gap G81). */
const EXPOSED = [
  'PAYMENT-REQUIRED',
  'PAYMENT-RESPONSE',
  'X-PAYMENT-RESPONSE',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'ETag',
  'Link',
  'X-Request-Id',
].join(', ');

const JSON_TYPE = 'application/json; charset=utf-8';
export const NO_STORE: Headers = { 'cache-control': 'no-store' };

/** A finished answer. It is written to a socket as it is: no object of the fetch API stands in between. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
}

/** Two parts are sent one behind the other; the first is mostly the same for many callers. */
export type Body = string | Uint8Array | readonly [shared: Uint8Array, own: string] | null;

/** The parts of a body in the order in which they are sent. */
export function partsOf(body: Body): readonly (string | Uint8Array)[] {
  if (body === null) return [];
  return typeof body === 'string' || body instanceof Uint8Array ? [body] : body;
}

/** All fields of an answer. Made once where many answers share them: copying is fast, adding to a copy is not. */
export interface Template {
  readonly fields: Headers;
}

export function template(headers: Headers): Template {
  return {
    fields: {
      ...headers,
      'access-control-allow-origin': '*',
      'access-control-expose-headers': EXPOSED,
      'x-content-type-options': 'nosniff',
      'x-request-id': '',
      'content-length': '',
    },
  };
}

/** A template of JSON that no cache may keep and whose rate fields are filled in for every answer. */
export const METERED_JSON: Template = template({
  'content-type': JSON_TYPE,
  'cache-control': 'no-store',
  'ratelimit-policy': '',
  ratelimit: '',
});

/**
 * Every answer is made here, with the fields that all of them have: setting them later, in a middleware, would cost more
 * than half of the speed. `own` fills fields of the template.
 */
export function answerWith(
  { id }: Pick<Exchange, 'id'>,
  status: number,
  body: Body,
  { fields }: Template,
  own?: Headers,
): Answer {
  const headers: Record<string, string> = { ...fields };
  headers['x-request-id'] = id;
  if (own !== undefined) for (const [name, value] of Object.entries(own)) headers[name] = value;
  if (body === null) delete headers['content-length'];
  else headers['content-length'] = String(lengthOf(body));
  return { status, headers, body };
}

function lengthOf(body: Exclude<Body, null>): number {
  if (typeof body === 'string') return Buffer.byteLength(body);
  if (body instanceof Uint8Array) return body.byteLength;
  const [shared, own] = body;
  return shared.byteLength + Buffer.byteLength(own);
}

export function answer(exchange: Exchange, status: number, body: Body, headers: Headers): Answer {
  return answerWith(exchange, status, body, template(headers));
}

export function answerJson(exchange: Exchange, status: number, body: Body, headers: Headers): Answer {
  return answer(exchange, status, body, { ...headers, 'content-type': JSON_TYPE });
}

export function answerProblem(exchange: Exchange, problem: Problem, headers: Headers = {}): Answer {
  exchange.facts.code = problem.code;
  const { retryAfterSeconds } = problem;
  const body = problemJson(problem, { instance: exchange.id, base: exchange.links.base });
  return answer(exchange, PROBLEMS[problem.code].status, JSON.stringify(body), {
    'content-type': 'application/problem+json; charset=utf-8',
    ...NO_STORE,
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
    ...headers,
  });
}

export function answerBadRequest(exchange: Exchange, { field, message }: BadRequest): Answer {
  return answerProblem(exchange, { code: 'bad_request', field, detail: message });
}

/** A body that many get: rendered and hashed once. */
export interface Rendered {
  readonly body: Uint8Array;
  readonly etag: string;
  readonly template: Template;
}

export function rendered(content: string | Uint8Array, contentType: string, headers: Headers): Rendered {
  const body = new Uint8Array(Buffer.from(content));
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  return { body, etag, template: template({ 'content-type': contentType, etag, ...headers }) };
}

export function renderedJson(value: unknown, headers: Headers): Rendered {
  return rendered(JSON.stringify(value), JSON_TYPE, headers);
}

/** 304 to whoever has it already (gap G82). */
export function answerRendered(exchange: Exchange, { body, etag, template: shared }: Rendered): Answer {
  const known = exchange.header('if-none-match');
  if (known !== null && matches(known, etag)) return answerWith(exchange, 304, null, shared);
  return answerWith(exchange, 200, body, shared);
}

/** A weak match, as the standard asks for here: a cache in between may have marked our tag as weak. */
function matches(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
