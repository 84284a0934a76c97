import { setImmediate } from 'node:timers/promises';
import type { ListFault } from '../../core/crawl/list-outcome.ts';
import { unlessAborted } from '../probe/deadline.ts';
import { FetchFault } from '../probe/fetch-fault.ts';
import { readRetryAfterMs } from './retry-delay.ts';

/** The prober's gated fetch; a plain one in tests. */
export type ListFetch = (url: string, init: RequestInit) => Promise<Response>;

export interface Failed {
  readonly kind: 'failed';
  readonly fault: ListFault;
  /** Another attempt may succeed. */
  readonly isTransient: boolean;
  readonly retryAfterMs: number | null;
}

export type Answer = { readonly kind: 'body'; readonly body: ReadableStream<Uint8Array> | null } | Failed;

export interface Ask {
  readonly url: string;
  readonly fetch: ListFetch;
  readonly nowMs: number;
  /** Aborts the request and the reading of its body. */
  readonly signal: AbortSignal;
}

/** One request, never with a payment: a list that answers 402 is not read. */
export async function askList({ url, fetch, nowMs, signal }: Ask): Promise<Answer> {
  try {
    const asked = fetch(url, { headers: { accept: ACCEPT }, redirect: 'manual', signal });
    const response = await unlessAborted(signal, asked);
    if (response === null) return transient('timed_out');
    if (response.status === 200) return { kind: 'body', body: response.body };
    await response.body?.cancel();
    return refusal(response, nowMs);
  } catch (fault) {
    return fetchFailure(fault, signal);
  }
}

const ACCEPT = 'application/json, text/plain;q=0.5, */*;q=0.1';
const TRANSIENT: ReadonlySet<number> = new Set([408, 425, 429]);

function refusal({ status, headers }: Response, nowMs: number): Failed {
  if (status === 402) return permanent('payment_required');
  if (status === 401 || status === 403) return permanent('refused');
  if (status >= 300 && status <= 399) return permanent('redirected');
  const isTransient = status >= 500 || TRANSIENT.has(status);
  const retryAfterMs = isTransient ? readRetryAfterMs(headers.get('retry-after'), nowMs) : null;
  return { kind: 'failed', fault: { kind: 'http_status', status }, isTransient, retryAfterMs };
}

type FaultKind = Exclude<ListFault['kind'], 'http_status'>;

export function transient(kind: FaultKind): Failed {
  return { kind: 'failed', fault: { kind }, isTransient: true, retryAfterMs: null };
}

export function permanent(kind: FaultKind): Failed {
  return { kind: 'failed', fault: { kind }, isTransient: false, retryAfterMs: null };
}

/** A fault of the gated fetch; any other error counts as a failed connection. */
export function fetchFailure(fault: unknown, signal: AbortSignal): Failed {
  // Whatever error the abort caused: the time is over.
  if (signal.aborted) return transient('timed_out');
  switch (fault instanceof FetchFault ? fault.kind : 'unreachable') {
    case 'blocked':
      return permanent('blocked');
    case 'bad_request':
    case 'tls_failed':
      return permanent('unreachable');
    case 'redirected':
      return permanent('redirected');
    case 'too_large':
      return permanent('too_large');
    case 'timed_out':
    case 'cancelled':
      return transient('timed_out');
    case 'undecodable':
    case 'broken':
      return transient('cut_off');
    default:
      return transient('unreachable');
  }
}

const PIECE_BYTES = 65_536;
const PIECES_PER_TURN = 8;

/** The body in small chunks, yielding to the event loop between them; ends early on the signal. */
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
    // Nobody needs the rest, nor an error while cancelling it.
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
