import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { connectTo } from '../../test/support/running/raw-http.ts';
import { listenOn, stopListening } from '../main/serve/listen.ts';
import type { Answer, Body } from './exchange/answer.ts';
import { createHttpServer } from './server.ts';

const opened: Server[] = [];
afterEach(() => Promise.all(opened.splice(0).map(stopListening)));

async function serve(answered: Answer): Promise<string> {
  const server = createHttpServer({
    answer: async () => answered,
    refuse: () => {
      throw new Error('nothing here is to be refused');
    },
  });
  opened.push(server);
  return listenOn(server, '127.0.0.1', 0);
}

async function bytesFrom(address: string, request: string): Promise<Buffer> {
  const socket = await connectTo(address);
  const pieces: Buffer[] = [];
  socket.on('data', (piece) => pieces.push(piece));
  const closed = new Promise((resolve) => socket.on('close', resolve));
  socket.write(request);
  await closed;
  return Buffer.concat(pieces);
}

const ask = (method: string) => `${method} / HTTP/1.1\r\nHost: a\r\n`;
const CLOSE = 'Connection: close\r\n\r\n';

it('closes the connection of what cannot be read while nothing can refuse it, and goes on', async () => {
  const address = await serve({ status: 200, headers: { 'content-length': '2' }, body: 'ok' });
  expect((await bytesFrom(address, 'no HTTP\r\n\r\n')).length).toBe(0);
  expect((await bytesFrom(address, ask('GET') + CLOSE)).toString()).toMatch(/^HTTP\/1.1 200 /);
});

it('answers a request whose Expect it does not know as any other, in its turn', async () => {
  const address = await serve({ status: 200, headers: { 'content-length': '2' }, body: 'ok' });
  const sent = await bytesFrom(address, `${ask('GET')}\r\n${ask('GET')}Expect: tea\r\n${CLOSE}`);
  expect(sent.toString().split('HTTP/1.1 200 OK\r\n')).toHaveLength(3);
});

describe('an answer', () => {
  const text = '{"unit":"µ$"}';
  const bytes = Buffer.from(text);
  const long = Buffer.alloc(300_000, 'x');

  it.each<[string, string, Body, string]>([
    ['text, as UTF-8', 'GET', text, '14'],
    ['bytes', 'GET', bytes, '14'],
    ['more bytes than a socket takes at once', 'GET', long, '300000'],
    ['an empty text', 'GET', '', '0'],
    ['no body', 'GET', null, '0'],
    ['text of which only the headers are wanted', 'HEAD', text, '14'],
    ['bytes of which only the headers are wanted', 'HEAD', bytes, '14'],
  ])('of %s leaves whole', async (_, method, body, length) => {
    const address = await serve({ status: 200, headers: { 'content-length': length }, body });
    const sent = await bytesFrom(address, ask(method) + CLOSE);
    const end = sent.indexOf('\r\n\r\n') + 4;
    expect(sent.toString('latin1', 0, end)).toContain(`content-length: ${length}\r\n`);
    expect(sent.length - end).toBe(method === 'HEAD' ? 0 : Number(length));
    if (length === '14' && method === 'GET') expect(sent.toString('utf8', end)).toBe(text);
  });

  it('that is queued behind others on its connection comes all the same', async () => {
    const address = await serve({ status: 200, headers: { 'content-length': '14' }, body: bytes });
    const requests = `${ask('GET')}\r\n`.repeat(9) + ask('GET') + CLOSE;
    const sent = (await bytesFrom(address, requests)).toString();
    expect(sent.split('HTTP/1.1 200 OK\r\n')).toHaveLength(11);
    expect(sent.split(`\r\n\r\n${text}`)).toHaveLength(11);
  });
});

it('a fault that the app let through cuts its own caller off, and the next one is answered', async () => {
  let asked = 0;
  const server = createHttpServer({
    async answer() {
      asked += 1;
      if (asked === 1) throw new Error('the log is full');
      return { status: 204, headers: {}, body: null };
    },
    refuse: () => ({ status: 400, headers: {}, body: null }),
  });
  opened.push(server);
  const address = await listenOn(server, '127.0.0.1', 0);
  expect(String(await bytesFrom(address, `${ask('GET')}${CLOSE}`))).toBe('');
  expect(String(await bytesFrom(address, `${ask('GET')}${CLOSE}`))).toMatch(/^HTTP\/1\.1 204 /);
});

describe('a header field of a request', () => {
  /** What the app is told, beside what Node itself makes of the same request. */
  async function told(fields: readonly string[], name: string): Promise<readonly unknown[]> {
    const heard: unknown[] = [];
    const server = createHttpServer({
      answer: async ({ header, body }) => {
        // The request itself stands behind the body.
        const { headers } = body as IncomingMessage;
        heard.push(header(name), headers[name]);
        return { status: 204, headers: {}, body: null };
      },
      refuse: () => ({ status: 400, headers: {}, body: null }),
    });
    opened.push(server);
    const address = await listenOn(server, '127.0.0.1', 0);
    await bytesFrom(address, `GET / HTTP/1.1\r\n${fields.map((field) => `${field}\r\n`).join('')}${CLOSE}`);
    return heard;
  }

  it.each<[string, string[], string, string | null]>([
    ['as it is named', ['host: a', 'x-forwarded-for: 192.0.2.1'], 'x-forwarded-for', '192.0.2.1'],
    ['whatever its case', ['Host: a', 'X-FORWARDED-For: 192.0.2.1'], 'x-forwarded-for', '192.0.2.1'],
    ['without the blanks around it', ['Host: a', 'ETag:  x  '], 'etag', 'x'],
    ['that is empty', ['Host: a', 'If-None-Match:'], 'if-none-match', ''],
    ['that is not there', ['Host: a', 'x-payment-x: 1'], 'x-payment', null],
    ['of the same length', ['Host: a', 'x-paymenu: 1'], 'x-payment', null],
    ['sent twice', ['Host: a', 'X-Payment: 1', 'x-payment: 2'], 'x-payment', '1, 2'],
    [
      'sent thrice',
      ['Host: a', 'X-Forwarded-For: 1', 'A: b', 'x-forwarded-for: 2', 'x-forwarded-for: 3'],
      'x-forwarded-for',
      '1, 2, 3',
    ],
    [
      'sent twice that may be sent once',
      ['Host: a', 'Authorization: 1', 'authorization: 2'],
      'authorization',
      '1',
    ],
    ['beyond ASCII', ['Host: a', 'Referer: \u00e9'], 'referer', '\u00c3\u00a9'],
    ['of every object', ['Host: a'], 'constructor', null],
  ])('%s', async (_, fields, name, value) => {
    const [ours, nodes] = await told(fields, name);
    expect(ours).toBe(value);
    if (name !== 'constructor') expect(ours).toBe(nodes ?? null);
  });
});

describe('a request that came in while the process stood still', () => {
  const PATIENCE = { headersMs: 100, requestMs: 100, readMs: 30_000, responseMs: 30_000, lookEveryMs: 20 };
  const POST = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n';

  /** The status lines that a caller gets who sends more bytes when the first are read, before a pause beyond every timeout. */
  async function toldAfterAPause(first: string, meanwhile: string): Promise<readonly string[]> {
    const server = createHttpServer(
      {
        async answer({ body }) {
          for await (const piece of body as IncomingMessage) void piece;
          await sleep(50);
          return { status: 204, headers: {}, body: null };
        },
        refuse: () => ({ status: 408, headers: {}, body: null }),
      },
      { patience: PATIENCE },
    );
    opened.push(server);
    const address = await listenOn(server, '127.0.0.1', 0);
    const isRead = once(server, first === '' ? 'connection' : 'request');
    const socket = await connectTo(address);
    let sent = '';
    socket.on('data', (piece) => (sent += String(piece)));
    const closed = once(socket, 'close');
    socket.write(first);
    await isRead;
    // From here Node looks at its timeouts before it reads.
    await nextTurn();
    // The system has the bytes at once; the server, in this same process, reads them after the pause.
    socket.write(meanwhile);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
    // A connection that is kept alive would stay open.
    setTimeout(() => socket.end(), 200);
    await closed;
    return sent.match(/(?<=^HTTP\/1\.1 )[0-9]+/gm) ?? [];
  }

  it.each([
    ['whole', '', `${ask('GET')}\r\n`, ['204']],
    ['in its last part', POST, 'ab', ['204']],
    ['in part', '', ask('GET'), ['408']],
    ['with half of its body', POST, 'a', ['408']],
    ['in part, behind a whole one', `${ask('GET')}\r\n`, ask('GET'), ['204', '408']],
  ])('%s gets what it would have got without the pause', async (_, first, meanwhile, statuses) => {
    expect(await toldAfterAPause(first, meanwhile)).toEqual(statuses);
  });
});
