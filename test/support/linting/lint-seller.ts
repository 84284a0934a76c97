import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { base64, ENTRY } from '../../../tools/samples/challenge.ts';
import { BAZAAR, TERMS_V1 } from './good-endpoint.ts';

export interface LintSeller {
  readonly url: string;
  /** Method and path of every request. */
  readonly requests: string[];
  stop(): Promise<void>;
}

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'PAYMENT-REQUIRED, PAYMENT-RESPONSE',
  'access-control-allow-headers': 'PAYMENT-SIGNATURE, X-PAYMENT, Access-Control-Expose-Headers, Content-Type',
};

/** A seller on loopback: /good is as it should be, /weather but for its preflight, the other paths are not. */
export async function startLintSeller(): Promise<LintSeller> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    answer(request, response, origin).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: origin,
    requests,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, origin: string): Promise<void> {
  const { method = 'GET', url = '/' } = request;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  const [path = '/'] = url.split('?');
  if (path === '/openapi.json') return json(response, openapi());
  if (path === '/.well-known/x402')
    return json(response, { version: 1, resources: [`${origin}/good`, `${origin}/weather`] });
  if (path === '/free') return json(response, {});
  if (path === '/moved') {
    response.writeHead(301, { location: '/good' }).end();
    return;
  }
  if (path === '/reset') {
    response.destroy();
    return;
  }
  if (path === '/post' && method === 'POST' && !body.includes('city')) {
    response.writeHead(422).end();
    return;
  }
  if (method === 'OPTIONS' && path !== '/bare' && path !== '/weather') {
    response.writeHead(204, CORS).end();
    return;
  }
  paywall(response, `${origin}${path}`, path);
}

function paywall(response: ServerResponse, url: string, path: string): void {
  const isBare = path === '/bare';
  const entry = path === '/broken' ? { ...ENTRY, payTo: 'me' } : ENTRY;
  const resource = { url, description: 'Weather', mimeType: 'application/json' };
  const header = {
    x402Version: 2,
    resource,
    accepts: [entry],
    ...(isBare ? {} : { extensions: { bazaar: BAZAAR } }),
  };
  const body = {
    ...TERMS_V1,
    accepts: TERMS_V1.accepts.map((one) => ({ ...one, payTo: entry.payTo, resource: url })),
  };
  response.writeHead(402, {
    'payment-required': base64(JSON.stringify(header)),
    'content-type': 'application/json',
    ...(isBare ? {} : { ...CORS, 'cache-control': 'no-store' }),
  });
  response.end(isBare ? '{}' : JSON.stringify(body));
}

function openapi() {
  const paid = { 'x-payment-info': { price: { mode: 'fixed', currency: 'USD', amount: '0.01' } } };
  return {
    openapi: '3.1.0',
    paths: {
      '/good': { get: paid },
      '/weather': { get: paid },
      '/broken': { get: paid },
      '/post': { post: paid },
    },
  };
}

function json(response: ServerResponse, document: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
}
