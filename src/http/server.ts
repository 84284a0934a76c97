import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ProblemCode } from '../wire/responses/problem.ts';
import type { App } from './app.ts';
import type { Incoming } from './exchange/open-exchange.ts';

/** Room for a payment header of 16 kB and the usual ones. */
const HEADERS_MAX_BYTES = 32_768;
/** Timeouts for sending the headers, sending the whole request, and reading on. */
const PATIENCE = { headersMs: 10_000, requestMs: 15_000, readMs: 30_000, lookEveryMs: 1_000 } as const;
export type Patience = Readonly<Record<keyof typeof PATIENCE, number>>;
/** Longer than the idle timeout of load balancers: the client side must be the one that closes. */
const KEEP_ALIVE_MS = 65_000;
const CONNECTIONS_MAX = 10_000;
/** Time to read a refusal before the connection is destroyed; the caller might never close its side. */
const REFUSAL_GRACE_MS = 1_000;
/** Pipelined requests that may queue on one connection behind the one being answered (gap L75). */
const PIPELINED_MAX = 32;

/** A server in front of the app. Slow and malformed requests end here and get a problem body, too. */
export function createHttpServer(
  app: App,
  patience: Patience = PATIENCE,
  isStopping: () => boolean = () => false,
): Server {
  const mayQueue = pipelineLimit();
  const readers = slowReaders(patience);
  const server = createServer(
    {
      maxHeaderSize: HEADERS_MAX_BYTES,
      headersTimeout: patience.headersMs,
      requestTimeout: patience.requestMs,
      // By default Node checks these timeouts only every 30 seconds.
      connectionsCheckingInterval: patience.lookEveryMs,
      // A missing Host is refused below, with a problem body.
      requireHostHeader: false,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    (request, response) => {
      // A response without a socket is queued behind others on the same connection.
      if (response.socket === null && !mayQueue(request.socket, response)) return;
      // A process that is about to stop closes its connections, so that callers go elsewhere.
      if (!server.listening || isStopping()) response.shouldKeepAlive = false;
      void respond(request, response, app, readers.watch);
    },
  );
  server.maxConnections = CONNECTIONS_MAX;
  server.on('close', readers.stop);
  // Deferred: the answers to earlier requests in the same chunk leave first.
  server.on('clientError', (fault, socket) => setImmediate(() => refuseOn(socket, app, fault)));
  return server;
}

/** The app turns its faults into answers. If even that fails, only this connection is closed. */
async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  app: App,
  watch: (socket: Socket) => void,
): Promise<void> {
  try {
    const incoming = incomingOf(request);
    const { status, headers, body } = incoming === null ? app.refuse(BAD_TARGET) : await app.answer(incoming);
    response.writeHead(status, headers);
    // Node itself omits the body in answers to HEAD.
    response.end(body);
    if (!response.writableFinished) watch(request.socket);
  } catch {
    response.destroy();
  }
}

/** One chunk of 64 kB holds a thousand requests, and unread answers take memory: beyond the limit the connection is cut. */
function pipelineLimit(): (socket: Socket, response: ServerResponse) => boolean {
  const queued = new WeakMap<Socket, number>();
  return (socket, response) => {
    // Node parses the rest of a chunk even after the connection was destroyed.
    if (socket.destroyed) return false;
    const count = (queued.get(socket) ?? 0) + 1;
    if (count > PIPELINED_MAX) {
      socket.destroy();
      return false;
    }
    queued.set(socket, count);
    response.once('close', () => queued.set(socket, (queued.get(socket) ?? 1) - 1));
    return true;
  };
}

// A name or an address, perhaps with a port: nothing that could break a link.
const HOST = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::([0-9]{0,5}))?$/;
const PORT_MAX = 65_535;

function isHost(text: string): boolean {
  const match = HOST.exec(text);
  return match !== null && Number(match[1] ?? 0) <= PORT_MAX;
}

/** Null when the target or the Host cannot be read. */
function incomingOf(request: IncomingMessage): Incoming | null {
  const { method = 'GET', url = '', socket, headers } = request;
  const target = url.startsWith('/') || url === '*' ? url : originForm(url);
  if (target === null || target.includes('\\') || !isHost(headers.host ?? '')) return null;
  return {
    method,
    target,
    address: socket.remoteAddress ?? '',
    // Node joins repeated headers with a comma, or keeps the first where only one is allowed.
    header: (name) => {
      const value = headers[name];
      return typeof value === 'string' ? value : null;
    },
    body: request,
  };
}

/** The path and query of a target in absolute form, as proxies send it. */
function originForm(url: string): string | null {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return null;
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/**
 * Cuts off callers that stop reading. Nearly all answers leave at once, so there is no timer per connection: the timeout of
 * an unread answer starts at the next periodic look.
 */
function slowReaders({ readMs, lookEveryMs }: Pick<Patience, 'readMs' | 'lookEveryMs'>) {
  const unread = new Set<Socket>();
  const look = () => {
    for (const socket of unread) if (socket.writableLength > 0) socket.setTimeout(readMs);
    unread.clear();
  };
  const timer = setInterval(look, lookEveryMs).unref();
  return { watch: (socket: Socket) => unread.add(socket), stop: () => clearInterval(timer) };
}

function refuseOn(socket: Duplex, app: App, fault: Error): void {
  const code = 'code' in fault ? String(fault.code) : '';
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { status, headers, body } = app.refuse(PROBLEM_OF.get(code) ?? UNREADABLE);
  const fields = Object.entries({ ...headers, connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.end(`HTTP/1.1 ${status} Refused\r\n${fields.join('')}\r\n${body ?? ''}`);
  setTimeout(() => socket.destroy(), REFUSAL_GRACE_MS).unref();
}

const BAD_TARGET = problem('bad_request', 'The request line or its Host cannot be read.');
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
