import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createRequestRate } from './request-rate.ts';

const HEADERS_MAX_BYTES = 16_384;
const REQUEST_MS = 10_000;
/** Clients keep their connections (c2sp.org/tlog-witness). */
const KEEP_ALIVE_MS = 65_000;
const CONNECTIONS_MAX = 1_000;

/** One text, for programs. */
export interface PlainAnswer {
  readonly status: number;
  readonly body: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface PlainServerParts {
  readonly answerTo: (request: IncomingMessage) => Promise<PlainAnswer>;
  readonly stopwatch: () => number;
  /** Requests of one address. */
  readonly perSecond: number;
  readonly onFault: (fault: unknown) => void;
}

/** A small server for programs, with bounds on whatever a stranger can take. */
export function createPlainServer({ answerTo, stopwatch, perSecond, onFault }: PlainServerParts): Server {
  const rate = createRequestRate(stopwatch, perSecond);
  const answerWithin = async (request: IncomingMessage) =>
    rate.admits(request.socket.remoteAddress ?? '') ? answerTo(request) : TOO_MANY;
  const server = createServer(
    {
      maxHeaderSize: HEADERS_MAX_BYTES,
      headersTimeout: REQUEST_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    (request, response) => {
      answerWithin(request)
        .catch((fault: unknown) => {
          onFault(fault);
          return said(500, 'internal fault');
        })
        .then((answer) => send(response, answer, server.listening && request.complete))
        .catch(() => response.destroy());
    },
  );
  server.maxConnections = CONNECTIONS_MAX;
  return server;
}

const TOO_MANY: PlainAnswer = {
  ...said(429, 'too many requests'),
  headers: { 'retry-after': '1', connection: 'close' },
};

export function said(status: number, line: string): PlainAnswer {
  return { status, body: `${line}\n` };
}

function send(response: ServerResponse, answer: PlainAnswer, canStay: boolean): void {
  const { status, body, type = 'text/plain; charset=utf-8', headers = {} } = answer;
  const length = Buffer.byteLength(body);
  const close = canStay ? {} : { connection: 'close' };
  response.writeHead(status, {
    'content-type': type,
    'content-length': length,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
    ...close,
  });
  response.end(body);
}

/** Bytes that are not UTF-8 are no note, and neither is a body that breaks off. */
export async function readText(
  request: IncomingMessage,
  maxBytes: number,
): Promise<{ readonly text: string } | 'malformed' | 'too_large'> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return 'too_large';
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request) {
      const bytes = Buffer.from(chunk);
      length += bytes.byteLength;
      if (length > maxBytes) return 'too_large';
      chunks.push(bytes);
    }
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks)) };
  } catch {
    return 'malformed';
  }
}
