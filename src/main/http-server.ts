import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { App, Peer } from '../http/app.ts';
import type { ProblemCode } from '../wire/problem.ts';

/** Room for a payment header of 16 kB and the usual ones. */
const HEADERS_MAX_BYTES = 32_768;
/** How long a caller may take to send its header fields, and all of its request. */
const PATIENCE = { headersMs: 10_000, requestMs: 15_000, lookEveryMs: 1_000 } as const;
export type Patience = Readonly<Record<keyof typeof PATIENCE, number>>;
/** Longer than load balancers keep theirs: the one that sends must be the one that closes. */
const KEEP_ALIVE_MS = 65_000;
const CONNECTIONS_MAX = 10_000;

/** A server in front of the app. Slow and broken requests end here and get a problem body, too. */
export function createHttpServer(app: App, patience: Patience = PATIENCE): Server {
  const listener = getRequestListener(
    // Only HTTP/1.1 is served, so what comes in is always an IncomingMessage.
    (request, { incoming }) => app.answer(request, peerOf(incoming as IncomingMessage)),
    { errorHandler: (fault) => app.refuse(fault instanceof RequestError ? NO_TARGET : BROKEN) },
  );
  const server = createServer(
    {
      maxHeaderSize: HEADERS_MAX_BYTES,
      headersTimeout: patience.headersMs,
      requestTimeout: patience.requestMs,
      // By default Node looks for late ones only every 30 seconds.
      connectionsCheckingInterval: patience.lookEveryMs,
      // The listener refuses what has no Host, and does so with a problem body.
      requireHostHeader: false,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    listener,
  );
  server.maxConnections = CONNECTIONS_MAX;
  server.on('clientError', (fault, socket) => {
    refuseOn(socket, app, fault).catch(() => socket.destroy());
  });
  return server;
}

function peerOf({ socket, headers }: IncomingMessage): Peer {
  return {
    address: socket.remoteAddress ?? '',
    header: (name) => {
      const value = headers[name];
      return typeof value === 'string' ? value : null;
    },
  };
}

async function refuseOn(socket: Duplex, app: App, fault: Error): Promise<void> {
  const code = 'code' in fault ? String(fault.code) : '';
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const response = app.refuse(PROBLEM_OF.get(code) ?? UNREADABLE);
  const body = Buffer.from(await response.arrayBuffer());
  const fields = [...response.headers, ['content-length', body.length], ['connection', 'close']];
  const head = [
    `HTTP/1.1 ${response.status} ${REASON}`,
    ...fields.map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]));
}

/** Any phrase will do: programs read the number. */
const REASON = 'Refused';
const NO_TARGET = problem('bad_request', 'The request line or its Host cannot be read.');
const BROKEN = problem(
  'internal_error',
  'Something failed on our side; please quote the instance when you report it.',
);
const UNREADABLE = problem('bad_request', 'The request cannot be read as HTTP/1.1.');
const PROBLEM_OF: ReadonlyMap<string, ReturnType<typeof problem>> = new Map([
  [
    'HPE_HEADER_OVERFLOW',
    problem('headers_too_large', `Header fields must have at most ${HEADERS_MAX_BYTES} bytes.`),
  ],
  ['ERR_HTTP_REQUEST_TIMEOUT', problem('request_timeout', 'The request did not arrive in time.')],
]);

function problem(code: ProblemCode, detail: string) {
  return { code, detail };
}
