import type { Socket } from 'node:net';
import { Client } from 'undici';
import { ANSWER_WIRE_BYTES_MAX, CHALLENGE_HEADER_MAX_CHARS } from '../../core/limits.ts';
import type { TargetUrl } from '../../core/url/target-url.ts';
import type { ProbeMethod } from '../../core/verdict/probe-outcome.ts';
import { answerReader, type Exchange } from './answer-reader.ts';

const WATCH_EVERY_MS = 50;

export interface ExchangeRequest {
  readonly target: TargetUrl;
  readonly method: ProbeMethod;
  readonly body: string;
  readonly userAgent: string;
  readonly signal: AbortSignal;
}

/** One connection and the requests over it, one after the other. */
export interface HttpConnection {
  /**
   * Sends one request. Never throws for what the other side does. 'gone': the connection ended without a byte of an
   * answer to this request, as one that was used before does when the other side has closed it in the meantime.
   */
  exchange(request: ExchangeRequest): Promise<Exchange | { readonly kind: 'gone' }>;
  /** Whether another request may follow: the last answer was plain and came to its end, and nothing came behind it. */
  isFree(): boolean;
  close(): void;
}

export interface HttpOptions {
  readonly target: TargetUrl;
  /** Whether more than one request is meant to be sent; the other side is told. */
  readonly keeps: boolean;
}

export function httpOver(socket: Socket, { target, keeps }: HttpOptions): HttpConnection {
  const state = { dialled: 0, isFree: false, bytesRead: 0 };
  const client = new Client(`${target.scheme}://${target.authority}`, {
    // The client expects its connector to answer later, even when the connection is there already. It gets this one and
    // no other: whether and where to dial again is not for it to decide.
    connect: (_options, callback) => {
      state.dialled += 1;
      const isFirst = state.dialled === 1;
      queueMicrotask(() => (isFirst ? callback(null, socket) : callback(new Error('gone'), null)));
    },
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: CHALLENGE_HEADER_MAX_CHARS,
    // Idle timers bound nothing: a byte now and then keeps them from firing. The one deadline is the signal.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const version = keeps ? watchVersion(socket) : null;
  const close = () => {
    state.isFree = false;
    // After an answer to the only request the library has closed the connection itself, and holds nothing more.
    if (!socket.destroyed) client.destroy().catch(() => {});
    socket.destroy();
  };
  const send = (request: ExchangeRequest, before: number) =>
    new Promise<Exchange | { readonly kind: 'gone' }>((resolve) => {
      const reader = answerReader({
        drains: keeps,
        settle: (exchange, isPlain) => {
          const { signal } = request;
          signal.removeEventListener('abort', reader.outOfTime);
          clearInterval(watch);
          state.isFree = isPlain && version?.is11() === true;
          // Otherwise the library does it, with an error whose stack takes longer to format than a challenge to judge.
          if (isPlain && !keeps) socket.destroy();
          const isSilent = state.dialled > 1 || socket.bytesRead === before;
          const isGone = exchange.kind === 'broken' && isSilent && !signal.aborted;
          resolve(isGone ? { kind: 'gone' } : exchange);
        },
      });
      const watch = setInterval(
        () => socket.bytesRead - before > ANSWER_WIRE_BYTES_MAX && reader.outOfTime(),
        WATCH_EVERY_MS,
      );
      request.signal.addEventListener('abort', reader.outOfTime, { once: true });
      client.dispatch({ reset: !keeps, ...asked(request) }, reader.handler);
    });
  return {
    async exchange(request) {
      if (request.signal.aborted) return { kind: 'kept_waiting' };
      state.isFree = false;
      version?.expect();
      const exchange = await send(request, socket.bytesRead);
      state.bytesRead = socket.bytesRead;
      if (!state.isFree) close();
      return exchange;
    },
    isFree: () => state.isFree && !socket.destroyed && socket.bytesRead === state.bytesRead,
    close,
  };
}

/** The whole of what we send: no cookie, no payment, and of the caller nothing but the input in `body` (gap G100). */
function asked({ target, method, body, userAgent }: ExchangeRequest) {
  return {
    path: target.pathAndQuery,
    method,
    headers: {
      host: target.authority,
      'user-agent': userAgent,
      accept: 'application/json, */*;q=0.1',
      'accept-encoding': 'identity',
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
    },
    body: method === 'POST' ? body : null,
  };
}

const HTTP_11 = Buffer.from('HTTP/1.1 ');

/** The parser keeps the version of an answer to itself, so the first bytes are looked at on their way to it. */
function watchVersion(socket: Socket) {
  const read = socket.read.bind(socket);
  const seen = { isAwaited: false, is11: false };
  socket.read = (size?: number) => {
    const chunk: unknown = read(size);
    if (seen.isAwaited && chunk instanceof Uint8Array) {
      seen.isAwaited = false;
      seen.is11 = HTTP_11.equals(chunk.subarray(0, HTTP_11.length));
    }
    return chunk;
  };
  return {
    expect: () => Object.assign(seen, { isAwaited: true, is11: false }),
    is11: () => seen.is11,
  };
}
