import type { Readable } from 'node:stream';
import { REQUEST_BODY_MAX_BYTES } from '../../core/limits.ts';
import { repeatedName } from '../../wire/requests/repeated-name.ts';
import type { Problem } from '../../wire/responses/problem.ts';
import type { Headers } from './answer.ts';
import type { Exchange } from './exchange.ts';

interface BodyProblem {
  readonly kind: 'problem';
  readonly problem: Problem;
  readonly headers?: Headers;
}

/** Valid JSON: JSON-RPC has another code for what is none. */
interface RepeatedName extends Omit<BodyProblem, 'kind'> {
  readonly kind: 'repeated_name';
}

/** Null stands for a request without a body. */
export type BodyReading =
  | { readonly kind: 'json'; readonly value: unknown; readonly bytes: number }
  | RepeatedName
  | BodyProblem;
export type FormReading = { readonly kind: 'form'; readonly text: string } | BodyProblem;

/** This much of an oversized body is read and dropped: many clients read the answer only after they have sent everything. */
const DISCARDED_MAX_BYTES = 1_048_576;
/** The rest of the body is never read, so the connection cannot be reused. */
const CLOSING: Headers = { connection: 'close' };

interface BodyRules {
  readonly maxBytes?: number;
  /** The members that are read. Only these must not repeat a name: unknown ones are ignored. By default all are read. */
  readonly members?: ReadonlySet<string>;
}

/** The JSON body, up to a limit (gap G30). Received bytes are counted, whatever Content-Length says. */
export async function readJsonBody(
  exchange: Exchange,
  { maxBytes = REQUEST_BODY_MAX_BYTES, members }: BodyRules,
): Promise<BodyReading> {
  const bytes = await readBounded(exchange, maxBytes);
  if (!(bytes instanceof Uint8Array)) return bytes;
  if (bytes.length === 0) return { kind: 'json', value: null, bytes: 0 };
  if (!isJson(exchange.header('content-type'))) {
    const detail = 'The body must be JSON, sent with Content-Type: application/json.';
    return { kind: 'problem', problem: { code: 'unsupported_media_type', detail, field: 'body' } };
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    const repeated = repeatedName(text, members);
    if (repeated !== null) return { kind: 'repeated_name', problem: sentTwice(repeated) };
    // The JSON value null is not the same as no body.
    return { kind: 'json', value: value ?? [], bytes: bytes.length };
  } catch {
    const problem = { code: 'bad_request', field: 'body', detail: 'The body must be valid JSON.' } as const;
    return { kind: 'problem', problem };
  }
}

/** Names are text of the caller: one that no parameter could have is not shown. */
const SHOWN_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** The same words as for a query (gap G04). */
function sentTwice(name: string): Problem {
  const isShown = SHOWN_NAME.test(name);
  const detail = isShown ? `${name} must be sent once.` : 'Each name must be sent once.';
  return { code: 'bad_request', field: isShown ? name : 'body', detail };
}

/** The fields of a form, as a browser sends them. */
export async function readFormBody(exchange: Exchange): Promise<FormReading> {
  const bytes = await readBounded(exchange, REQUEST_BODY_MAX_BYTES);
  if (!(bytes instanceof Uint8Array)) return bytes;
  if (!/^application\/x-www-form-urlencoded[ \t]*(?:;|$)/i.test(exchange.header('content-type') ?? '')) {
    const detail =
      'This path accepts the form of the front page only; programs call /v1/products/endpoint-spot-check.';
    return { kind: 'problem', problem: { code: 'unsupported_media_type', detail, field: 'body' } };
  }
  return { kind: 'form', text: new TextDecoder().decode(bytes) };
}

async function readBounded({ body, header }: Exchange, maxBytes: number): Promise<Uint8Array | BodyProblem> {
  // A larger announced length is refused at once.
  const announced = Number(header('content-length') ?? 0);
  const bytes = announced > DISCARDED_MAX_BYTES ? 'too large' : await readBytes(body, maxBytes);
  if (bytes === 'too large') {
    const detail = `The body must have at most ${maxBytes} bytes.`;
    return { kind: 'problem', problem: { code: 'body_too_large', detail }, headers: CLOSING };
  }
  if (bytes === 'cut off') {
    const problem = { code: 'bad_request', field: 'body', detail: 'The body is incomplete.' } as const;
    return { kind: 'problem', problem };
  }
  return bytes;
}

function readBytes(body: Readable, maxBytes: number): Promise<Uint8Array | 'too large' | 'cut off'> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    body.on('data', (chunk: Uint8Array) => {
      length += chunk.byteLength;
      if (length <= maxBytes) chunks.push(chunk);
      // Further bytes are still read and dropped, without waiting for them.
      if (length > DISCARDED_MAX_BYTES) resolve('too large');
    });
    body.on('end', () => resolve(length > maxBytes ? 'too large' : Buffer.concat(chunks)));
    // The caller hung up, which is not our fault. After `end` these have no effect.
    body.on('error', () => resolve('cut off'));
    body.on('close', () => resolve('cut off'));
  });
}

function isJson(contentType: string | null): boolean {
  return contentType !== null && /^application\/(?:[a-z0-9.-]+\+)?json[ \t]*(?:;|$)/i.test(contentType);
}
