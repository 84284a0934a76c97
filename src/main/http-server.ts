import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Answer, type Body, bytesOf, isOctets } from '../http/answer.ts';
import type { App } from '../http/app.ts';
import type { Incoming } from '../http/exchange/open-exchange.ts';
import type { ProblemCode } from '../wire/responses/problem.ts';

/** Room for a payment header of 16 kB and the usual ones. */
const HEADERS_MAX_BYTES = 32_768;
/** How long a caller may take to send its header fields, all of its request, and to read on in its answer. */
const PATIENCE = { headersMs: 10_000, requestMs: 15_000, readMs: 30_000, lookEveryMs: 1_000 } as const;
export type Patience = Readonly<Record<keyof typeof PATIENCE, number>>;
/** Longer than load balancers keep theirs: the one that sends must be the one that closes. */
const KEEP_ALIVE_MS = 65_000;
const CONNECTIONS_MAX = 10_000;
/** Whoever was refused may read why, and is then cut off: it might never close its own side. */
const FAREWELL_MS = 1_000;

/** Questions that a caller may ask on one connection before it has read the answers to those before (gap L75). */
const WAITING_MAX = 32;

/** A server in front of the app. Slow and broken requests end here and get a problem body, too. */
export function createHttpServer(
  app: App,
  patience: Patience = PATIENCE,
  isStopping: () => boolean = () => false,
): Server {
  const mayWait = waitingLine();
  const readers = slowReaders(patience);
  const isGoodHost = hostCheck();
  const server = createServer(
    {
      maxHeaderSize: HEADERS_MAX_BYTES,
      headersTimeout: patience.headersMs,
      requestTimeout: patience.requestMs,
      // By default Node looks for late ones only every 30 seconds.
      connectionsCheckingInterval: patience.lookEveryMs,
      // What has no Host is refused below, with a problem body.
      requireHostHeader: false,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    (request, response) => {
      // An answer without a socket waits for those before it on the same connection.
      if (response.socket === null && !mayWait(request.socket, response)) return;
      // Whoever is about to stop tells its callers to come back elsewhere.
      if (!server.listening || isStopping()) response.shouldKeepAlive = false;
      const incoming = incomingOf(request, isGoodHost);
      const answered = incoming === null ? app.refuse(NO_TARGET) : app.answer(incoming);
      if (!(answered instanceof Promise)) return send(response, answered, readers.watch);
      // The app's faults are answers; should even telling of them fail, one caller is cut off and nobody else.
      answered.then(
        (late) => sendLate(response, late, readers.watch),
        () => response.destroy(),
      );
    },
  );
  server.maxConnections = CONNECTIONS_MAX;
  server.on('close', readers.stop);
  server.on('clientError', (fault, socket) => refuseOn(socket, app, fault));
  return server;
}

/** Answers that nobody reads take memory, and a piece of 64 kB has room for a thousand questions: whoever sends more is cut off. */
function waitingLine(): (socket: Socket, response: ServerResponse) => boolean {
  const waiting = new WeakMap<Socket, number>();
  const change = (socket: Socket, by: number) => {
    const count = (waiting.get(socket) ?? 0) + by;
    waiting.set(socket, count);
    return count;
  };
  return (socket, response) => {
    // What came in the same piece is still read out after the end.
    if (socket.destroyed) return false;
    if (change(socket, 1) > WAITING_MAX) {
      socket.destroy();
      return false;
    }
    response.once('close', () => change(socket, -1));
    return true;
  };
}

// A name or an address, perhaps with a port: nothing that a link could be broken with.
const HOST = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::([0-9]{0,5}))?$/;
const PORT_MAX = 65_535;

function isHost(text: string): boolean {
  const match = HOST.exec(text);
  return match !== null && Number(match[1] ?? 0) <= PORT_MAX;
}

/** Nearly all name the same one, and comparing is a tenth of reading. */
function hostCheck(): (text: string) => boolean {
  let last = '';
  return (text) => {
    if (text === last && text !== '') return true;
    if (!isHost(text)) return false;
    last = text;
    return true;
  };
}

/** Null when it cannot be told what is asked for, or whom. */
function incomingOf(request: IncomingMessage, isGoodHost: (text: string) => boolean): Incoming | null {
  const { method = 'GET', url = '', socket } = request;
  const target = url.startsWith('/') || url === '*' ? url : originForm(url);
  const header = headerOf(request);
  if (target === null || target.includes('\\') || !isGoodHost(header('host') ?? '')) return null;
  return {
    method,
    target,
    address: socket.remoteAddress ?? '',
    header,
    body: request,
  };
}

/**
 * As they were sent: Node makes an object of all fields when it is first asked for one, and few of them are ever asked for.
 * What to make of a field that was sent twice is left to Node.
 */
function headerOf(request: IncomingMessage): (name: string) => string | null {
  const { rawHeaders } = request;
  return (name) => {
    let found: string | null = null;
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const sent = rawHeaders[at] ?? '';
      if (sent.length !== name.length || (sent !== name && sent.toLowerCase() !== name)) continue;
      if (found !== null) return joined(request.headers[name]);
      found = rawHeaders[at + 1] ?? null;
    }
    return found;
  };
}

function joined(value: string | string[] | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/** A proxy's form of the target, with scheme and host in front of the path. */
function originForm(url: string): string | null {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return null;
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/**
 * Nearly all answers have left within a moment: a timer for each connection, or for each long answer, would cost all of them for the
 * sake of a few. So the clock of an answer that is not read starts when somebody looks.
 */
function slowReaders({ readMs, lookEveryMs }: Pick<Patience, 'readMs' | 'lookEveryMs'>) {
  // Connections, of which there are few: answers that are held until somebody looks would all have to be collected later.
  const unread = new Set<Socket>();
  const look = () => {
    for (const socket of unread) if (socket.writableLength > 0) socket.setTimeout(readMs);
    unread.clear();
  };
  const timer = setInterval(look, lookEveryMs).unref();
  return { watch: (socket: Socket) => unread.add(socket), stop: () => clearInterval(timer) };
}

/** Where sending fails there is nobody left to tell. */
function sendLate(response: ServerResponse, answer: Answer, watch: Watch): void {
  try {
    send(response, answer, watch);
  } catch {
    response.destroy();
  }
}

type Watch = (socket: Socket) => void;

/** Written as it is. Node leaves the body out of answers to HEAD by itself. */
function send(response: ServerResponse, { status, fields, body }: Answer, watch: Watch): void {
  response.writeHead(status, fields);
  if (body !== null) writeAtOnce(response, body);
  response.end();
  if (!response.writableFinished) watch(response.req.socket);
}

/**
 * Corked, so that header fields and body are one piece. `end` with a body adds an empty one behind it, and to put two together
 * takes Node a tenth of all that a short answer costs.
 */
function writeAtOnce(response: ServerResponse, body: Exclude<Body, null>): void {
  response.cork();
  if (isOctets(body)) response.write(body.octets, 'latin1');
  else response.write(body);
  response.uncork();
}

function refuseOn(socket: Duplex, app: App, fault: Error): void {
  const code = 'code' in fault ? String(fault.code) : '';
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { status, fields, body } = app.refuse(PROBLEM_OF.get(code) ?? UNREADABLE);
  const head = fields.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');
  socket.end(`HTTP/1.1 ${status} ${REASON}\r\n${head}connection: close\r\n\r\n${bytesOf(body)}`);
  setTimeout(() => socket.destroy(), FAREWELL_MS).unref();
}

/** Any phrase will do: programs read the number. */
const REASON = 'Refused';
const NO_TARGET = problem('bad_request', 'The request line or its Host cannot be read.');
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
