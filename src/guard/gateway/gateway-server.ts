import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { GuardedFetch } from '../guarded-fetch.ts';
import { type GatewayProblem, ownProblem, problemOf } from './problem.ts';
import { readRequest } from './read-request.ts';
import { problemHeaders, writeAnswer, writeProblem } from './write-answer.ts';

const LIMITS = {
  /** Room for a payment header of 16 kB and the usual ones. */
  maxHeaderSize: 32_768,
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  /** By default Node checks these timeouts only every 30 seconds. */
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
};
const CONNECTIONS_MAX = 256;

/**
 * An HTTP server that sends every request through the guard: payers in other languages put its address before the URL of a
 * seller. It holds no key, so what it passes on is what its clients have signed. To be listened with on loopback only.
 */
export function createGateway(fetch: GuardedFetch): Server {
  const server = createServer(LIMITS, (request, response) => {
    if (!server.listening) response.shouldKeepAlive = false;
    serve(fetch, request, response).catch(() => response.destroy());
  });
  server.maxConnections = CONNECTIONS_MAX;
  server.on('connect', (_request, socket) => refuseOn(socket, NO_TUNNEL));
  server.on('clientError', (fault, socket) => {
    const code = 'code' in fault ? String(fault.code) : '';
    if (!socket.writable || code === 'ECONNRESET') socket.destroy();
    else refuseOn(socket, PROBLEM_OF.get(code) ?? UNREADABLE);
  });
  return server;
}

async function serve(fetch: GuardedFetch, request: IncomingMessage, response: ServerResponse): Promise<void> {
  // A client that has gone gets nothing: what it paid for stays open, and the same request brings it.
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    const { url, method, headers, body } = await readRequest(request);
    const answer = await fetch(url, { method, headers, body, signal: gone.signal });
    await writeAnswer(answer, response, method);
  } catch (fault) {
    if (gone.signal.aborted || response.headersSent) response.destroy();
    else writeProblem(problemOf(fault), response);
  }
}

const NO_TUNNEL = ownProblem(
  'method_not_allowed',
  'A tunnel would hide the 402 and the payment from the guard: put the URL of the target behind the address of the gateway.',
);
const UNREADABLE = ownProblem('bad_request', 'The request cannot be read as HTTP/1.1.');
const PROBLEM_OF: ReadonlyMap<string, GatewayProblem> = new Map([
  [
    'HPE_HEADER_OVERFLOW',
    ownProblem('headers_too_large', `Header fields can have ${LIMITS.maxHeaderSize} bytes at most.`),
  ],
  ['ERR_HTTP_REQUEST_TIMEOUT', ownProblem('request_timeout', 'The request did not arrive in time.')],
]);

/** Time to read a refusal before the connection is destroyed; the client might never close its side. */
const REFUSAL_GRACE_MS = 1_000;

function refuseOn(socket: Duplex, problem: GatewayProblem): void {
  const body = JSON.stringify(problem);
  const fields = Object.entries({ ...problemHeaders(body), connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${problem.status} Refused\r\n${fields.join('')}\r\n${body}`);
  setTimeout(() => socket.destroy(), REFUSAL_GRACE_MS).unref();
}
