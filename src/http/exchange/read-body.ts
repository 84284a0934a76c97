import type { Readable } from 'node:stream';
import { REQUEST_BODY_MAX_BYTES } from '../../core/limits.ts';
import type { Problem } from '../../wire/responses/problem.ts';
import type { Headers } from './answer.ts';
import type { Exchange } from './exchange.ts';

interface BodyProblem {
  readonly kind: 'problem';
  readonly problem: Problem;
  readonly headers?: Headers;
}

/** Null stands for a request without a body. */
export type BodyReading = { readonly kind: 'json'; readonly value: unknown } | BodyProblem;
export type FormReading = { readonly kind: 'form'; readonly text: string } | BodyProblem;

/** So much of a body that is too large is read and dropped: whoever still sends does not listen for the answer yet. */
const DISCARDED_MAX_BYTES = 1_048_576;
/** The rest of the body is never read, so nobody else's request may come after it on the same connection. */
const CLOSING: Headers = { connection: 'close' };

/** The JSON of a request, at most so much of it (gap G30). What arrives is counted, whatever a header says about its length. */
export async function readJsonBody(
  exchange: Exchange,
  maxBytes = REQUEST_BODY_MAX_BYTES,
): Promise<BodyReading> {
  const bytes = await readBounded(exchange, maxBytes);
  if (!(bytes instanceof Uint8Array)) return bytes;
  if (bytes.length === 0) return { kind: 'json', value: null };
  if (!isJson(exchange.header('content-type'))) {
    const detail = 'The body must be JSON, sent with Content-Type: application/json.';
    return { kind: 'problem', problem: { code: 'unsupported_media_type', detail, field: 'body' } };
  }
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    // A body that says null is not the same as none.
    return { kind: 'json', value: value ?? [] };
  } catch {
    const problem = { code: 'bad_request', field: 'body', detail: 'The body must be valid JSON.' } as const;
    return { kind: 'problem', problem };
  }
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
  // Whoever announces more than is ever read is told so at once.
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
      // What comes after it is still read and dropped, but nobody waits for it.
      if (length > DISCARDED_MAX_BYTES) resolve('too large');
    });
    body.on('end', () => resolve(length > maxBytes ? 'too large' : Buffer.concat(chunks)));
    // A caller that hangs up in the middle is no fault of ours. After the end these change nothing any more.
    body.on('error', () => resolve('cut off'));
    body.on('close', () => resolve('cut off'));
  });
}

function isJson(contentType: string | null): boolean {
  return contentType !== null && /^application\/(?:[a-z0-9.-]+\+)?json[ \t]*(?:;|$)/i.test(contentType);
}
