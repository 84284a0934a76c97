import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGuard, memoryLedger } from '../../../src/guard/index.ts';

/** A guard that could pay nothing: its ledger is broken, and no 402 is in sight. */
const broken = async () => {
  throw new Error('the disk is full');
};
const { fetch: guarded } = createGuard({
  ledger: { ...memoryLedger(), open: broken, find: broken, reserve: broken, frozen: broken },
  limits: { perPayment: '0.10', perDay: '5' },
  ask: null,
});

const silence = new EventEmitter();
const places = { here: '', elsewhere: '' };
const servers: Server[] = [];

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  switch (request.url) {
    case '/echo': {
      const { authorization = null, 'content-type': type = null, 'x-own': own = null } = request.headers;
      response
        .writeHead(200, { 'content-type': 'application/json', 'x-seen': 'yes' })
        .end(JSON.stringify({ method: request.method, body, authorization, type, own }));
      return;
    }
    case '/gzip':
      return void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('compressed'));
    case '/nothing':
      return void response.writeHead(204).end();
    case '/fault':
      return void response.writeHead(503, { 'retry-after': '7' }).end('later');
    case '/asks-otherwise':
      return void response.writeHead(401, { 'payment-required': 'e30=' }).end('{"accepts":[]}');
    case '/near':
      return void response.writeHead(302, { location: '/echo' }).end();
    case '/far':
      return void response.writeHead(307, { location: `${places.elsewhere}/echo` }).end();
    case '/round':
      return void response.writeHead(302, { location: '/round' }).end();
    case '/silence':
      return void silence.emit('asked');
    default:
      return void response.destroy();
  }
}

beforeAll(async () => {
  for (const place of ['here', 'elsewhere'] as const) {
    const server = createServer((request, response) => void answer(request, response));
    server.listen(0, place === 'here' ? '127.0.0.1' : '127.0.0.2');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('a server on a port has no port');
    places[place] = `http://${address.address}:${address.port}`;
    servers.push(server);
  }
});
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

type Fetch = typeof globalThis.fetch;
type Use = (fetch: Fetch, here: string) => Promise<Response>;

const ROWS: readonly (readonly [string, Use])[] = [
  ['a plain request', (fetch, here) => fetch(`${here}/echo`)],
  ['a URL object', (fetch, here) => fetch(new URL(`${here}/echo#top`))],
  ['a request of its own', (fetch, here) => fetch(new Request(`${here}/echo`, { method: 'PUT', body: 'x' }))],
  [
    'a request with other members beside it',
    (fetch, here) =>
      fetch(new Request(`${here}/echo`, { headers: { 'x-own': 'a' } }), { method: 'POST', body: 'y' }),
  ],
  [
    'headers and a body',
    (fetch, here) =>
      fetch(`${here}/echo`, {
        method: 'POST',
        headers: { authorization: 'Bearer of a test', 'content-type': 'application/json', 'x-own': 'b' },
        body: '{"a":1}',
      }),
  ],
  [
    'a form',
    (fetch, here) => fetch(`${here}/echo`, { method: 'POST', body: new URLSearchParams({ a: '1' }) }),
  ],
  [
    'a stream as a body',
    (fetch, here) => {
      const init = { method: 'POST', body: new Blob(['streamed']).stream(), duplex: 'half' as const };
      return fetch(`${here}/echo`, init);
    },
  ],
  ['HEAD', (fetch, here) => fetch(`${here}/echo`, { method: 'HEAD' })],
  ['a compressed answer', (fetch, here) => fetch(`${here}/gzip`)],
  ['an answer without a body', (fetch, here) => fetch(`${here}/nothing`)],
  ['a fault', (fetch, here) => fetch(`${here}/fault`)],
  ['terms in an answer that is not 402', (fetch, here) => fetch(`${here}/asks-otherwise`)],
  ['a redirect', (fetch, here) => fetch(`${here}/near`)],
  ['a redirect to another origin', (fetch, here) => fetch(`${here}/far`, { method: 'POST', body: 'z' })],
  ['a redirect that is not to be followed', (fetch, here) => fetch(`${here}/far`, { redirect: 'manual' })],
  ['a redirect that must not be', (fetch, here) => fetch(`${here}/near`, { redirect: 'error' })],
  ['a redirect without an end', (fetch, here) => fetch(`${here}/round`)],
  ['a connection that breaks', (fetch, here) => fetch(`${here}/breaks`)],
  ['a signal that was given before', (fetch, here) => fetch(`${here}/echo`, { signal: AbortSignal.abort() })],
  ['a reason of its own', (fetch, here) => fetch(`${here}/echo`, { signal: AbortSignal.abort('mine') })],
  [
    'a caller that gives up while the seller is silent',
    (fetch, here) => {
      const giving = new AbortController();
      silence.once('asked', () => giving.abort());
      return fetch(`${here}/silence`, { signal: giving.signal });
    },
  ],
  ['a data URL', (fetch) => fetch('data:text/plain,inline')],
  ['an address without an origin', (fetch) => fetch('/echo')],
  ['another scheme', (fetch) => fetch('ftp://127.0.0.1/x')],
  ['a method that is forbidden', (fetch, here) => fetch(`${here}/echo`, { method: 'TRACE' })],
  ['a body that GET cannot have', (fetch, here) => fetch(`${here}/echo`, { body: 'x' })],
];

describe('traffic without a 402 passes the guard as it is:', () => {
  it.each(ROWS)('%s', async (_, use) => {
    expect(await seenBy(use, guarded)).toEqual(await seenBy(use, fetch));
  });
});

async function seenBy(use: Use, by: Fetch): Promise<unknown> {
  try {
    const response = await use(by, places.here);
    const { status, statusText, url, redirected, type, headers } = response;
    const kept = [...headers].filter(([name]) => name !== 'date');
    return { status, statusText, url, redirected, type, kept, body: await response.text() };
  } catch (error) {
    if (!(error instanceof Error)) return { thrown: error };
    const { name, message, cause } = error;
    return { name, message, cause: cause instanceof Error ? cause.message : cause };
  }
}
