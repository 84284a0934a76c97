import type { Socket } from 'node:net';
import { Client, type Dispatcher, errors } from 'undici';
import { type HeaderFields, headerValues } from '../../core/header-values.ts';
import {
  ANSWER_HEADER_FIELDS_MAX,
  ANSWER_INFORMATIONAL_MAX,
  ANSWER_WIRE_BYTES_MAX,
  CHALLENGE_BODY_MAX_BYTES,
  CHALLENGE_HEADER_MAX_CHARS,
} from '../../core/limits.ts';
import type { TargetUrl } from '../../core/url/target-url.ts';
import type { ProbeMethod } from '../../core/verdict/probe-outcome.ts';
import { decodeUtf8 } from '../../core/x402/base64.ts';
import { mayBecomeObject } from '../../core/x402/read-document.ts';
import { boundedBody } from './bounded-body.ts';
import { contentCodings } from './decode-body.ts';

const WATCH_EVERY_MS = 50;

export interface ExchangeRequest {
  readonly target: TargetUrl;
  readonly method: ProbeMethod;
  readonly body: string;
  readonly userAgent: string;
  readonly signal: AbortSignal;
}

/** One request and its answer over one connection, as far as it got. */
export type Exchange =
  | Answer
  | { readonly kind: 'headers_too_large' }
  | { readonly kind: 'kept_waiting' }
  | { readonly kind: 'broken'; readonly cause: 'connection_failed' | 'not_http' };

export interface Answer {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: HeaderFields;
  /** As received, still encoded. */
  readonly body: Uint8Array;
  readonly bodyComplete: boolean;
}

/** Sends exactly one request over the socket and closes it. Never throws for what the other side does. */
export async function exchange(socket: Socket, request: ExchangeRequest): Promise<Exchange> {
  const { target, method, signal } = request;
  if (signal.aborted) {
    socket.destroy();
    return { kind: 'kept_waiting' };
  }
  const client = new Client(`${target.scheme}://${target.authority}`, {
    // The client expects its connector to answer later, even when the connection is there already.
    connect: (_options, callback) => queueMicrotask(() => callback(null, socket)),
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: CHALLENGE_HEADER_MAX_CHARS,
    // Idle timers bound nothing: a byte now and then keeps them from firing. The one deadline is the signal.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  let watch: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Exchange>((resolve) => {
      const reader = answerReader(resolve);
      watch = setInterval(
        () => socket.bytesRead > ANSWER_WIRE_BYTES_MAX && reader.outOfTime(),
        WATCH_EVERY_MS,
      );
      signal.addEventListener('abort', reader.outOfTime, { once: true });
      client.dispatch(
        {
          path: target.pathAndQuery,
          method,
          headers: headersFor(request),
          body: method === 'POST' ? request.body : null,
          reset: true,
        },
        reader.handler,
      );
    });
  } finally {
    clearInterval(watch);
    client.destroy().catch(() => {});
    socket.destroy();
  }
}

/** The whole of what we send: no cookie, no payment, nothing of the caller. */
function headersFor({ target, method, userAgent }: ExchangeRequest): Record<string, string> {
  return {
    host: target.authority,
    'user-agent': userAgent,
    accept: 'application/json, */*;q=0.1',
    'accept-encoding': 'identity',
    ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
  };
}

interface AnswerReader {
  readonly handler: Dispatcher.DispatchHandler;
  readonly outOfTime: () => void;
}

/** Reads no more than it needs: without a 402 the status is all, and a body stops at its limit. */
function answerReader(settle: (exchange: Exchange) => void): AnswerReader {
  const body = boundedBody(CHALLENGE_BODY_MAX_BYTES);
  let informational = 0;
  let head: Pick<Answer, 'status' | 'headers'> | null = null;
  const finish = (bodyComplete: boolean, otherwise: Exchange): void => {
    const received = body.bytes();
    const enough = head !== null && (bodyComplete || isBodyIrrelevant(head.headers, received));
    settle(head !== null && enough ? { kind: 'answer', ...head, body: received, bodyComplete } : otherwise);
  };
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart() {},
    onResponseStart(controller, status) {
      const headers = headerPairs(controller.rawHeaders);
      if (status < 200) {
        informational += 1;
        if (informational > ANSWER_INFORMATIONAL_MAX) settle({ kind: 'kept_waiting' });
      } else if (headers.length > ANSWER_HEADER_FIELDS_MAX) {
        settle({ kind: 'headers_too_large' });
      } else {
        head = { status, headers };
        if (status !== 402) finish(true, { kind: 'kept_waiting' });
      }
    },
    onResponseData(controller, chunk) {
      if (body.append(chunk) || head === null) return;
      settle({ kind: 'answer', ...head, body: body.bytes(), bodyComplete: false });
      controller.pause();
    },
    onResponseEnd() {
      finish(true, { kind: 'kept_waiting' });
    },
    onResponseError(_controller, fault) {
      finish(false, failureOf(fault));
    },
  };
  return { handler, outOfTime: () => finish(false, { kind: 'kept_waiting' }) };
}

function failureOf(fault: Error): Exchange {
  if (fault instanceof errors.HeadersOverflowError) return { kind: 'headers_too_large' };
  return {
    kind: 'broken',
    cause: fault instanceof errors.HTTPParserError ? 'not_http' : 'connection_failed',
  };
}

/**
 * Terms in a complete header are known, and the rest need not be waited for when it is visibly no challenge. What may
 * still become one is: it could ask older clients for something else.
 */
function isBodyIrrelevant(headers: HeaderFields, beginning: Buffer): boolean {
  const hasTerms = headerValues(headers, 'payment-required').some((value) => value.trim() !== '');
  return hasTerms && contentCodings(headers).length === 0 && !mayBecomeObject(decodeUtf8(beginning));
}

/** Fields in the order they came, repeated ones apart; bytes are shown as Latin-1. */
function headerPairs(raw: unknown): [string, string][] {
  const parts = Array.isArray(raw)
    ? raw.map((part) => (Buffer.isBuffer(part) ? part.toString('latin1') : String(part)))
    : [];
  return Array.from({ length: Math.floor(parts.length / 2) }, (_, index) => [
    (parts[2 * index] ?? '').toLowerCase(),
    parts[2 * index + 1] ?? '',
  ]);
}
