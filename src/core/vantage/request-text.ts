import { hash } from 'node:crypto';
import { URL_MAX_BYTES } from '../limits.ts';
import { isKeyName } from '../log/note-format.ts';
import { oneOf, optional, saltText, time, wrong } from '../statement/read-values.ts';
import type { ProbeMethod } from '../verdict/probe-outcome.ts';
import { REQUEST_BODY_MAX_CHARS } from './vantage-limits.ts';
import { readLine } from './written-line.ts';

/** What one vantage is asked to look at. */
export interface VantageRequest {
  /** By the clock of the client. */
  readonly at: Date;
  /** JSON, only with POST; null for an empty object. */
  readonly body: string | null;
  readonly method: ProbeMethod;
  /** 16 random bytes in base64url. */
  readonly nonce: string;
  /** The name of the vantage: no other one may answer. */
  readonly to: string;
  readonly url: string;
}

const HEADER = 'assay-vantage/1 request';
const NAME_MAX_CHARS = 256;

/** The text of a note. Its second line is in the canonical form of RFC 8785: members in the order of their names. */
export function requestText({ at, body, method, nonce, to, url }: VantageRequest): string {
  return `${HEADER}\n${JSON.stringify({ at, body: body ?? undefined, method, nonce, to, url })}\n`;
}

/** Accepts exactly what `requestText` writes. */
export function readRequestText(text: string): VantageRequest | null {
  const request = readLine(text, HEADER, (members) => ({
    at: time(members('at')),
    body: optional(members('body'), readBody),
    method: oneOf(members('method'), ['GET', 'POST']),
    nonce: saltText(members('nonce')),
    to: readName(members('to')),
    url: readUrl(members('url')),
  }));
  if (request === null || requestText(request) !== text) return null;
  return request.body === null || request.method === 'POST' ? request : null;
}

/** Names a request in its answer. */
export function requestHash(text: string): string {
  return hash('sha256', text, 'hex');
}

/** A text with half of a surrogate pair has no canonical form. */
const HALF_PAIR = /\p{Surrogate}/u;

function readBody(value: unknown): string {
  const isText = typeof value === 'string' && value.length <= REQUEST_BODY_MAX_CHARS;
  return isText && !HALF_PAIR.test(value) ? value : wrong('no short body');
}

function readName(value: unknown): string {
  const isName = typeof value === 'string' && value.length <= NAME_MAX_CHARS && isKeyName(value);
  return isName ? value : wrong('no name');
}

function readUrl(value: unknown): string {
  const isShort = typeof value === 'string' && Buffer.byteLength(value) <= URL_MAX_BYTES;
  return isShort && !HALF_PAIR.test(value) ? value : wrong('no short URL');
}
