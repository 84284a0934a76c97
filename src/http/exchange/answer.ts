import { createHash } from 'node:crypto';
import type { BadRequest } from '../../wire/requests/reading.ts';
import { PROBLEMS, type Problem, problemJson } from '../../wire/responses/problem.ts';
import type { Exchange } from './exchange.ts';

export type Headers = Readonly<Record<string, string>>;

/** Headers that scripts in a browser may read (gap G81). */
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

/** A finished answer, ready to be written to a socket. */
export interface Answer {
  readonly status: number;
  /** Names are in lower case. */
  readonly headers: Headers;
  readonly body: Body;
  /** The problem in the body, if it is one. */
  readonly problem?: Problem;
  /** Called once the answer has been written out completely. */
  readonly onWritten?: () => Promise<void>;
}

/** Parts are written one after the other, so that answers can share a large one. */
export type Body = string | Buffer | readonly (string | Buffer)[] | null;

/** Answers one method of one path; `id` is the variable segment of the path, if it has one. */
export type Handler = (exchange: Exchange, id: string) => Answer | Promise<Answer>;

/** Every answer is made here, with the headers that all of them share. */
export function answer({ id }: Pick<Exchange, 'id'>, status: number, body: Body, headers: Headers): Answer {
  // The spread is last: each property after one would cost V8 a new hidden class, a tenth of a whole small answer.
  const all: Record<string, string> = {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': EXPOSED,
    'x-content-type-options': 'nosniff',
    'x-request-id': id,
    ...headers,
  };
  if (body !== null) all['content-length'] = String(bytesOf(body));
  return { status, headers: all, body };
}

export function partsOf(body: NonNullable<Body>): readonly (string | Buffer)[] {
  return typeof body === 'string' || Buffer.isBuffer(body) ? [body] : body;
}

function bytesOf(body: NonNullable<Body>): number {
  return partsOf(body).reduce((bytes, part) => bytes + Buffer.byteLength(part), 0);
}

export function answerJson(exchange: Exchange, status: number, body: Body, headers: Headers): Answer {
  return answer(exchange, status, body, { 'content-type': JSON_TYPE, ...headers });
}

export function answerProblem(exchange: Exchange, problem: Problem, headers: Headers = {}): Answer {
  exchange.facts.code = problem.code;
  const { retryAfterSeconds } = problem;
  const body = problemJson(problem, { instance: exchange.id, base: exchange.links.base });
  const answered = answer(exchange, PROBLEMS[problem.code].status, JSON.stringify(body), {
    'content-type': 'application/problem+json; charset=utf-8',
    ...NO_STORE,
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
    ...headers,
  });
  return { ...answered, problem };
}

export function answerBadRequest(exchange: Exchange, { field, message }: BadRequest): Answer {
  return answerProblem(exchange, { code: 'bad_request', field, detail: message });
}

/** A body that many callers get: rendered and hashed once. */
export interface Rendered {
  readonly body: Buffer;
  /** With content type and ETag. */
  readonly headers: Headers;
  /** From then on it says something that is no longer true. */
  readonly until?: Date;
}

export function rendered(content: string | Uint8Array, contentType: string, headers: Headers): Rendered {
  const body = Buffer.from(content);
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  return { body, headers: { 'content-type': contentType, etag, ...headers } };
}

export function renderedJson(value: unknown, headers: Headers): Rendered {
  return rendered(JSON.stringify(value), JSON_TYPE, headers);
}

/** 304 if the caller has the current version (gap G82). */
export function answerRendered(exchange: Exchange, { body, headers }: Rendered): Answer {
  const known = exchange.header('if-none-match');
  if (known !== null && matches(known, headers['etag'] ?? '')) return answer(exchange, 304, null, headers);
  return answer(exchange, 200, body, headers);
}

/** Weak comparison, as the standard requires for If-None-Match: a proxy may have marked our tag as weak. */
function matches(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
