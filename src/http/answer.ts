import { createHash } from 'node:crypto';
import type { BadRequest } from '../wire/requests/reading.ts';
import { PROBLEMS, type Problem, problemJson } from '../wire/responses/problem.ts';
import type { Exchange } from './exchange/exchange.ts';

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

export const JSON_TYPE = 'application/json; charset=utf-8';
export const NO_STORE: Headers = { 'cache-control': 'no-store' };

/** A finished answer. It is written to a socket as it is: no object of the fetch API stands in between. */
export interface Answer {
  readonly status: number;
  /** Names and values in turns, as they are written: an object would be taken apart again for every answer. */
  readonly fields: string[];
  readonly body: Body;
}

export type Body = string | Uint8Array | Octets | null;

/** Bytes, a character for each. Node sends them in one piece with the header fields, which is faster than two. */
export interface Octets {
  readonly octets: string;
}

export function octetsOf(text: string | Uint8Array): string {
  return Buffer.from(text).toString('latin1');
}

export function isOctets(body: Body): body is Octets {
  return typeof body === 'object' && body !== null && 'octets' in body;
}

/** A body as the bytes that are sent. */
export function bytesOf(body: Body): Buffer {
  if (body === null) return Buffer.alloc(0);
  return isOctets(body) ? Buffer.from(body.octets, 'latin1') : Buffer.from(body);
}

/** The value of a field, whose name is in lower case. */
export function fieldOf({ fields }: Pick<Answer, 'fields'>, name: string): string | null {
  const at = fields.findIndex((text, index) => index % 2 === 0 && text === name);
  return at === -1 ? null : (fields[at + 1] ?? null);
}

/** All fields of an answer. Made once where many answers share them: copying is fast, adding to a copy is not. */
export interface Template {
  readonly fields: readonly string[];
}

export function template(headers: Headers): Template {
  return { fields: [...Object.entries(headers), ...OF_ALL, ...OWN].flat() };
}

const OF_ALL = Object.entries({
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED,
  'x-content-type-options': 'nosniff',
});
/** They come last, because every answer fills them in by their place. */
const OWN = [
  ['x-request-id', ''],
  ['content-length', ''],
];
const ID_FROM_END = 3;
const LENGTH_FROM_END = 1;
const LENGTH_FIELD = 2;

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
  const filled = body === null ? fields.slice(0, -LENGTH_FIELD) : fields.slice();
  filled[fields.length - ID_FROM_END] = id;
  if (body !== null) filled[fields.length - LENGTH_FROM_END] = String(lengthOf(body));
  if (own !== undefined) for (const name in own) filled[filled.indexOf(name) + 1] = own[name] ?? '';
  return { status, fields: filled, body };
}

function lengthOf(body: Exclude<Body, null>): number {
  return isOctets(body) ? body.octets.length : Buffer.byteLength(body);
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
  readonly body: Buffer | Octets;
  readonly etag: string;
  /** With its length. */
  readonly template: Template;
}

export function rendered(content: string | Uint8Array, contentType: string, headers: Headers): Rendered {
  const bytes = Buffer.from(content);
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;
  const body = bytes.byteLength <= ONE_PIECE_MAX ? { octets: octetsOf(bytes) } : bytes;
  const { fields } = template({ 'content-type': contentType, etag, ...headers });
  return { body, etag, template: { fields: fields.with(-LENGTH_FROM_END, String(bytes.byteLength)) } };
}

/** With its fields it fits what Node writes without asking for memory; more is faster without being copied. */
const ONE_PIECE_MAX = 12_000;

/** For caches of them. */
export function renderedBytes({ body }: Rendered): number {
  return lengthOf(body);
}

export function renderedJson(value: unknown, headers: Headers): Rendered {
  return rendered(JSON.stringify(value), JSON_TYPE, headers);
}

/** 304 to whoever has it already (gap G82). */
export function answerRendered(exchange: Exchange, { body, etag, template: shared }: Rendered): Answer {
  const known = exchange.header('if-none-match');
  if (known !== null && matches(known, etag)) return answerWith(exchange, 304, null, shared);
  const fields = shared.fields.slice();
  fields[fields.length - ID_FROM_END] = exchange.id;
  return { status: 200, fields, body };
}

/** A weak match, as the standard asks for here: a cache in between may have marked our tag as weak. */
function matches(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
