import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpServer } from '../../src/http/server.ts';
import { listenOn, stopListening } from '../../src/main/serve/listen.ts';
import { connectTo, readAll, sendRaw } from '../support/running/raw-http.ts';
import { startService, type TestService } from '../support/running/running-service.ts';

const PATIENCE = { headersMs: 150, requestMs: 300, readMs: 200, responseMs: 2_000, lookEveryMs: 25 };
const HOST = 'Host: assay.example.org\r\n';
const POST = `POST /v1/products/endpoint-spot-check HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n`;

describe('callers that take their time', () => {
  const server = { address: '', stop: async () => {} };
  let service: TestService;

  beforeAll(async () => {
    service = await startService();
    const listening = createHttpServer(service.app, { patience: PATIENCE });
    server.address = await listenOn(listening, '127.0.0.1', 0);
    server.stop = () => stopListening(listening);
  });
  afterAll(async () => {
    await server.stop();
    await service.close();
  });

  it.each([
    ['send nothing', ''],
    ['send half a request line', 'GET /v1/ta'],
    ['never end their header fields', `GET /v1/tasks HTTP/1.1\r\n${HOST}X-Half: `],
    ['announce a body and send none', `${POST}Content-Length: 10\r\n\r\n`],
    ['send half a body', `${POST}Content-Length: 10\r\n\r\n{"url`],
    ['never end their chunks', `${POST}Transfer-Encoding: chunked\r\n\r\n5\r\n{"url\r\n`],
  ])('408: those that %s', async (_, bytes) => {
    const answers = await sendRaw(server.address, bytes);
    expect(answers.map(({ status }) => status)).toEqual([408]);
    const [{ fields, body } = { fields: new Map<string, string>(), body: '{}' }] = answers;
    expect(fields.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(JSON.parse(body)).toMatchObject({ status: 408, code: 'request_timeout' });
  });

  it.each([
    ['half a request line', 'GET /v1/ta'],
    ['half a body', `${POST}Content-Length: 10\r\n\r\n{"url`],
  ])('408 for %s, but only after the answer to the request before it', async (_, bytes) => {
    const patient = await startService({ timeoutMs: 600 });
    const listening = createHttpServer(patient.app, { patience: PATIENCE });
    const address = await listenOn(listening, '127.0.0.1', 0);
    const silent = '/v1/products/endpoint-spot-check?url=http://seller.example/slow';
    const answers = await sendRaw(address, `GET ${silent} HTTP/1.1\r\n${HOST}\r\n${bytes}`);
    expect(answers.map(({ status }) => status)).toEqual([200, 408]);
    await stopListening(listening);
    await patient.close();
  });

  it('are cut off after their refusal, also when they never close their own side', async () => {
    const { hostname, port } = new URL(server.address);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    socket.resume();
    socket.write(`${POST}Content-Length: 10\r\n\r\n`);
    await once(socket, 'end');
    // Its own side is still open; writing to it must fail before long.
    socket.on('error', () => {});
    const closed = new Promise((resolve) => socket.on('close', resolve));
    const writing = setInterval(() => socket.write('x'), 50);
    await closed;
    clearInterval(writing);
  });

  it('take no place of others while their body is awaited', async () => {
    const small = await startService({
      world: { pools: { read: 2, check: 2, purchase: 2, message: 2 } },
      door: 'socket',
    });
    const address = small.address ?? '';
    const idle = await Promise.all(Array.from({ length: 6 }, () => connectTo(address)));
    for (const socket of idle) socket.write(`${POST}Content-Length: 10\r\n\r\n`);
    await wait(100);
    expect((await small.ask('/v1/lookup?task=weather')).status).toBe(200);
    for (const socket of idle) socket.destroy();
    await small.close();
  });

  it('408: those that send a byte now and then', async () => {
    const socket = await connectTo(server.address);
    const answers = readAll(socket);
    const bytes = [...`GET /v1/tasks HTTP/1.1\r\n${HOST}X-Slow: ${'x'.repeat(60)}`];
    for (const byte of bytes) {
      if (!socket.writable) break;
      socket.write(byte);
      await wait(10);
    }
    expect((await answers).map(({ status }) => status)).toEqual([408]);
  });

  it('hold up nobody else, and are no fault of ours', async () => {
    const idle = await Promise.all(Array.from({ length: 50 }, () => connectTo(server.address)));
    const [answer] = await sendRaw(
      server.address,
      `GET /v1/tasks HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`,
    );
    expect(answer?.status).toBe(200);
    for (const socket of idle) socket.destroy();
    expect(service.faults).toEqual([]);
    expect(service.answered.filter(({ status }) => status >= 500)).toEqual([]);
  });

  it('and hang up before the answer: the check is made and kept all the same', async () => {
    const socket = await connectTo(server.address);
    socket.write(
      `GET /v1/products/endpoint-spot-check?url=http://seller.example/honest&ref=gone HTTP/1.1\r\n${HOST}\r\n`,
    );
    await wait(5);
    socket.destroy();
    await expect.poll(async () => (await service.ask('/v1/receipts?type=live&ref=gone')).json.count).toBe(1);
    expect(service.faults).toEqual([]);
  });

  const questions = (count: number) =>
    `GET /v1/tasks HTTP/1.1\r\n${HOST}\r\n`.repeat(count - 1) +
    `GET /v1/tasks HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`;

  it('33 questions on one connection at once are all answered', async () => {
    expect(await sendRaw(server.address, questions(33))).toHaveLength(33);
  });

  it('whoever asks more than that before reading is cut off (L75)', async () => {
    expect((await sendRaw(server.address, questions(1_000))).length).toBeLessThan(34);
  });

  it('whoever reads the answers may ask for ever', async () => {
    const socket = await connectTo(server.address);
    let heard = 0;
    socket.on('data', (chunk) => {
      heard += String(chunk).split('HTTP/1.1 200 ').length - 1;
    });
    for (let asked = 20; asked <= 200; asked += 20) {
      socket.write(`GET /v1/tasks HTTP/1.1\r\n${HOST}\r\n`.repeat(20));
      while (heard < asked) await once(socket, 'data');
    }
    socket.destroy();
    expect(heard).toBe(200);
  });
});

describe('callers that do not read their answer', () => {
  /** More than the system takes off our hands for a caller who reads nothing. */
  const body = Buffer.alloc(64_000_000, 'x');
  const answer = (target: string) => ({
    status: 200,
    headers: { 'content-length': String(target === '/large' ? body.length : 2) },
    body: target === '/large' ? body : 'ok',
  });
  const app = {
    answer: async ({ target }: { readonly target: string }) => answer(target),
    refuse: () => answer('/small'),
  };
  const opened: Server[] = [];
  const listen = async () => {
    const server = createHttpServer(app, { patience: PATIENCE });
    opened.push(server);
    return { server, address: await listenOn(server, '127.0.0.1', 0) };
  };
  const connectionsOf = (server: Server) =>
    new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
  afterAll(() => Promise.all(opened.map(stopListening)));

  it('are cut off', async () => {
    const { server, address } = await listen();
    const socket = await connectTo(address);
    socket.pause();
    socket.on('error', () => {});
    expect(await connectionsOf(server)).toBe(1);
    socket.write(`GET /large HTTP/1.1\r\n${HOST}\r\n`);
    await expect.poll(() => connectionsOf(server)).toBe(0);
    socket.destroy();
  });

  it('are not, when they have it and keep the connection for later', async () => {
    const { server, address } = await listen();
    const socket = await connectTo(address);
    socket.resume();
    socket.write(`GET /small HTTP/1.1\r\n${HOST}\r\n`);
    await wait(2 * PATIENCE.readMs);
    expect(await connectionsOf(server)).toBe(1);
    socket.destroy();
  });
});
