import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ENTRY, header } from '../../tools/samples/challenge.ts';
import { refusalIn } from '../support/guarding/buyers/measure-purchase.ts';
import { GOODS, guardFor, payer } from '../support/guarding/sellers/in-process-seller.ts';

/** Path, and where it leads: the number of hops to the paywall at /paid, or by another origin. */
const LEADS: Readonly<Record<string, readonly [status: number, to: () => string]>> = {
  '/one': [307, () => '/paid'],
  '/two': [308, () => '/one'],
  '/three': [307, () => '/two'],
  '/get': [302, () => '/paid'],
  '/as-get': [303, () => '/paid'],
  '/away': [307, () => `${origin(other)}/back`],
  '/back': [307, () => `${origin(seller)}/paid`],
};

/** What asked with a payment. */
const paid: string[] = [];
const seller = createServer((request, response) => {
  const { method, url = '' } = request;
  const lead = LEADS[url];
  const isPaid = request.headers['payment-signature'] !== undefined;
  request.resume();
  if (isPaid) paid.push(`${method} ${url}`);
  if (lead !== undefined) response.writeHead(lead[0], { location: lead[1]() }).end();
  else if (isPaid) response.writeHead(200, { 'content-type': 'application/json' }).end(GOODS);
  else response.writeHead(402, Object.fromEntries([header({ x402Version: 2, accepts: [ENTRY] })])).end();
});
const other = createServer((_, response) => {
  response.writeHead(307, { location: LEADS['/back']?.[1]() }).end();
});

function origin(server: Server): string {
  // A server on a port has an address with a port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  for (const server of [seller, other]) await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  for (const server of [seller, other]) server.close().closeAllConnections();
});

const buy = async (path: string, init?: RequestInit) => {
  paid.length = 0;
  const guard = guardFor({ fetch: (input, init) => fetch(input, init) });
  const answer = payer(guard.fetch)(origin(seller) + path, init);
  const end = await answer.then((response) => response.text(), refusalIn);
  return { end, paid: [...paid], purchases: (await guard.purchases()).length };
};

it.each<[string, string, RequestInit | undefined, readonly string[]]>([
  ['one hop', '/one', undefined, ['GET /one', 'GET /paid']],
  ['two hops', '/two', undefined, ['GET /two', 'GET /one', 'GET /paid']],
  ['a hop that keeps a body', '/one', { method: 'POST', body: 'x' }, ['POST /one', 'POST /paid']],
  ['a hop of a request without a body', '/get', undefined, ['GET /get', 'GET /paid']],
])('a payment takes the way to its 402: %s', async (_, path, init, sent) => {
  expect(await buy(path, init)).toEqual({ end: GOODS, paid: sent, purchases: 1 });
});

it.each<[string, string, RequestInit | undefined]>([
  ['three hops', '/three', undefined],
  ['a hop that makes a GET of it', '/as-get', { method: 'POST', body: 'x' }],
  ['another origin between', '/away', undefined],
])('nothing is signed where a payment could not take the way to its 402: %s', async (_, path, init) => {
  expect(await buy(path, init)).toEqual({ end: 'redirected_elsewhere', paid: [], purchases: 0 });
});
