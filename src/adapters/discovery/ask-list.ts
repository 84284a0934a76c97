import { setImmediate } from 'node:timers/promises';
import type { ListFault } from '../../core/crawl/list-outcome.ts';
import { unlessAborted } from '../probe/deadline.ts';
import { FetchFault } from '../probe/fetch-fault.ts';
import { readRetryAfterMs } from './retry-delay.ts';

/** The gated fetch of the prober, or in tests a plain one. */
export type ListFetch = (url: string, init: RequestInit) => Promise<Response>;

export interface Failed {
  readonly kind: 'failed';
  readonly fault: ListFault;
  /** It may pass by itself. */
  readonly mayPass: boolean;
  readonly retryAfterMs: number | null;
}

export type Answer = { readonly kind: 'body'; readonly body: ReadableStream<Uint8Array> | null } | Failed;

export interface Ask {
  readonly url: string;
  readonly fetch: ListFetch;
  readonly nowMs: number;
  /** Ends the request and the reading of its answer. */
  readonly signal: AbortSignal;
}

/** One request without a payment, and never a second one for money: a list that asks for some is not read. */
export async function askList({ url, fetch, nowMs, signal }: Ask): Promise<Answer> {
  try {
    const asked = fetch(url, { headers: { accept: ACCEPT }, redirect: 'manual', signal });
    const response = await unlessAborted(signal, asked);
    if (response === null) return failed('timed_out', true);
    if (response.status === 200) return { kind: 'body', body: response.body };
    await response.body?.cancel();
    return refusal(response, nowMs);
  } catch (fault) {
    return fetchFailure(fault, signal);
  }
}

const ACCEPT = 'application/json, text/plain;q=0.5, */*;q=0.1';
const MAY_PASS: ReadonlySet<number> = new Set([408, 425, 429]);

function refusal({ status, headers }: Response, nowMs: number): Failed {
  if (status === 402) return failed('payment_required', false);
  if (status === 401 || status === 403) return failed('refused', false);
  if (status >= 300 && status <= 399) return failed('redirected', false);
  const mayPass = status >= 500 || MAY_PASS.has(status);
  const retryAfterMs = mayPass ? readRetryAfterMs(headers.get('retry-after'), nowMs) : null;
  return { kind: 'failed', fault: { kind: 'http_status', status }, mayPass, retryAfterMs };
}

export function failed(kind: Exclude<ListFault['kind'], 'http_status'>, mayPass: boolean): Failed {
  return { kind: 'failed', fault: { kind }, mayPass, retryAfterMs: null };
}

/** What the gated fetch says; anything else, such as a library's error, is a connection that failed. */
export function fetchFailure(fault: unknown, signal: AbortSignal): Failed {
  // Whatever the fetch makes of our signal, it is the time that was over.
  if (signal.aborted) return failed('timed_out', true);
  switch (fault instanceof FetchFault ? fault.kind : 'unreachable') {
    case 'blocked':
      return failed('blocked', false);
    case 'bad_request':
    case 'tls_failed':
      return failed('unreachable', false);
    case 'redirected':
      return failed('redirected', false);
    case 'too_large':
      return failed('too_large', false);
    case 'timed_out':
    case 'cancelled':
      return failed('timed_out', true);
    case 'undecodable':
    case 'broken':
      return failed('cut_off', true);
    default:
      return failed('unreachable', true);
  }
}

const PIECE_BYTES = 65_536;
const PIECES_PER_TURN = 8;

/** The body in small pieces, letting others run between them; it ends early when the signal comes. */
export async function* bodyPieces(
  body: ReadableStream<Uint8Array> | null,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  let pieces = 0;
  try {
    for (let chunk = await next(reader, signal); chunk !== null; chunk = await next(reader, signal)) {
      for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
        yield chunk.subarray(at, at + PIECE_BYTES);
        pieces += 1;
        if (pieces % PIECES_PER_TURN === 0) await setImmediate();
      }
    }
  } finally {
    // The rest of it is of no use to anybody, and neither is an error while saying so.
    reader.cancel().catch(() => {});
  }
}

/** Null at the end. */
async function next(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  const read = await unlessAborted(signal, reader.read());
  if (read === null) throw new FetchFault('timed_out', true);
  return read.value ?? null;
}
