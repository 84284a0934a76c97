import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Problem, ProblemCode } from '../wire/responses/problem.ts';
import type { App } from './app.ts';
import { watchArrivals } from './connections/arrivals.ts';
import { type ConnectionLimit, limitConnections } from './connections/connection-limit.ts';
import { createPipeline } from './connections/pipeline.ts';
import { type UnreadResponses, watchUnread } from './connections/unread-responses.ts';
import { type Answer, partsOf } from './exchange/answer.ts';
import type { Incoming } from './exchange/open-exchange.ts';

/** Room for a payment header of 16 kB and the usual ones. */
const HEADERS_MAX_BYTES = 32_768;
/** Timeouts for sending the headers, sending the whole request, reading on, and reading all of a response. */
const PATIENCE = {
  headersMs: 10_000,
  requestMs: 15_000,
  readMs: 30_000,
  responseMs: 120_000,
  lookEveryMs: 1_000,
} as const;
export type Patience = Readonly<Record<keyof typeof PATIENCE, number>>;
/** Longer than the idle timeout of load balancers: the client side must be the one that closes. */
const KEEP_ALIVE_MS = 65_000;
const CONNECTIONS_MAX = 10_000;
/** Time to read a refusal before the connection is destroyed; the caller might never close its side. */
const REFUSAL_GRACE_MS = 1_000;

export interface ServerOptions {
  readonly patience?: Patience;
  readonly isStopping?: () => boolean;
  /** Omitted where one machine is all callers. */
  readonly connections?: ConnectionLimit;
}

/** A server in front of the app. Slow and malformed requests end here and get a problem body, too. */
export function createHttpServer(
  app: App,
  { patience = PATIENCE, isStopping = () => false, connections }: ServerOptions = {},
): Server {
  const pipeline = createPipeline();
  const arrivals = watchArrivals();
  const unread = watchUnread(patience);
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
      arrivals.note(request);
      // A process that is about to stop closes its connections, so that callers go elsewhere.
      if (!server.listening || isStopping()) response.shouldKeepAlive = false;
      pipeline.inTurn(request, response, () => respond(request, response, app, unread));
    },
  );
  // Else Node drops the answer, perhaps to a payment, of a caller that ends its side of the connection behind its request.
  Object.assign(server, { httpAllowHalfOpen: true });
  // Node itself answers 417 without a body, and ahead of its turn. RFC 9110 lets a server ignore what it does not know.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.maxConnections = CONNECTIONS_MAX;
  if (connections !== undefined) limitConnections(server, connections);
  server.on('close', unread.stop);
  server.on('clientError', (fault, socket) => {
    const refuse = () => pipeline.afterWhole(socket, () => refuseOn(socket, app, fault));
    if (codeOf(fault) === TIMED_OUT) arrivals.refuseLate(socket, refuse);
    else refuse();
  });
  return server;
}

/** The app turns its faults into answers. If even that fails, only this connection is closed. */
async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  app: App,
  unread: UnreadResponses,
): Promise<void> {
  try {
    const incoming = incomingOf(request);
    const answered = incoming === null ? app.refuse(BAD_TARGET) : await app.answer(incoming);
    const { status, headers, body, onWritten } = answered;
    if (onWritten !== undefined) {
      response.once('finish', () => (isReading(request.socket) ? onWritten() : undefined));
    }
    response.writeHead(status, headers);
    // Node itself omits the body in answers to HEAD.
    const parts = partsOf(body ?? '');
    for (const part of parts.slice(0, -1)) response.write(part);
    response.end(parts.at(-1));
    if (!response.writableFinished) unread.watch(request.socket, response);
  } catch {
    response.destroy();
  }
}

/**
 * Node also emits finish when the connection is destroyed with bytes left to write. And whoever ended its side may have gone: what
 * it paid for is not noted as delivered, so that it can still get it from another network (gap G97).
 */
function isReading({ destroyed, readableEnded }: Socket): boolean {
  return !destroyed && !readableEnded;
}

// A name or an address, perhaps with a port: nothing that could break a link.
const HOST = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::([0-9]{0,5}))?$/;
const PORT_MAX = 65_535;

/** Exactly one: a proxy in front of us may have read the other. */
function isHost(sent: readonly string[] = []): boolean {
  const match = sent.length === 1 ? HOST.exec(sent[0] ?? '') : null;
  return match !== null && Number(match[1] ?? 0) <= PORT_MAX;
}

/** Null when the target or the Host cannot be read. */
function incomingOf(request: IncomingMessage): Incoming | null {
  const { method = 'GET', url = '', socket, headers, headersDistinct } = request;
  const target = url.startsWith('/') || url === '*' ? url : originForm(url);
  if (target === null || target.includes('\\') || !isHost(headersDistinct['host'])) return null;
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

const codeOf = (fault: Error) => ('code' in fault ? String(fault.code) : '');

function refuseOn(socket: Duplex, app: App, fault: Error): void {
  const code = codeOf(fault);
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const refusal = refusalOf(app, PROBLEM_OF.get(code) ?? UNREADABLE);
  if (refusal === null) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = refusal;
  const fields = Object.entries({ ...headers, connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.end(`HTTP/1.1 ${status} Refused\r\n${fields.join('')}\r\n${partsOf(body ?? '').join('')}`);
  setTimeout(() => socket.destroy(), REFUSAL_GRACE_MS).unref();
}

/** Null if even the refusal fails, as it does before the app is there; thrown from an event it would end the process. */
function refusalOf(app: App, refused: Problem): Answer | null {
  try {
    return app.refuse(refused);
  } catch {
    return null;
  }
}

const BAD_TARGET = problem('bad_request', 'The request line or its Host cannot be read.');
const UNREADABLE = problem('bad_request', 'The request cannot be read as HTTP/1.1.');
const TIMED_OUT = 'ERR_HTTP_REQUEST_TIMEOUT';
const PROBLEM_OF: ReadonlyMap<string, ReturnType<typeof problem>> = new Map([
  [
    'HPE_HEADER_OVERFLOW',
    problem('headers_too_large', `Header fields must have at most ${HEADERS_MAX_BYTES} bytes.`),
  ],
  [TIMED_OUT, problem('request_timeout', 'The request did not arrive in time.')],
]);

function problem(code: ProblemCode, detail: string) {
  return { code, detail };
}
