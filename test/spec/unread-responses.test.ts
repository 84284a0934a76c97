import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpServer } from '../../src/http/server.ts';
import { listenOn, stopListening } from '../../src/main/serve/listen.ts';
import { connectTo } from '../support/running/raw-http.ts';

const MEGABYTE = 1_000_000;
const REQUEST = 'GET / HTTP/1.1\r\nHost: assay.example.org\r\n\r\n';
const PATIENCE = {
  headersMs: 10_000,
  requestMs: 10_000,
  readMs: 60_000,
  responseMs: 60_000,
  lookEveryMs: 25,
};

describe('responses that nobody reads (L75)', () => {
  const opened: Server[] = [];
  const clients: Socket[] = [];
  afterEach(async () => {
    for (const socket of clients.splice(0)) socket.destroy();
    await Promise.all(opened.splice(0).map(stopListening));
  });

  /** A server whose every response is memory of its own, and what it holds for its readers. */
  async function serve(bytes: number, patience: typeof PATIENCE = PATIENCE) {
    const sockets = new Set<Socket>();
    const state = { answers: 0, unreadMost: 0 };
    const unread = () => [...sockets].reduce((sum, { writableLength }) => sum + writableLength, 0);
    const answer = async () => {
      state.answers += 1;
      state.unreadMost = Math.max(state.unreadMost, unread());
      return { status: 200, headers: { 'content-length': String(bytes) }, body: Buffer.alloc(bytes, 'x') };
    };
    const app = { answer, refuse: () => ({ status: 400, headers: {}, body: null }) };
    const server = createHttpServer(app, { patience });
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    });
    opened.push(server);
    return { address: await listenOn(server, '127.0.0.1', 0), state, unread, sockets };
  }

  async function unreadConnection(address: string, requests: number, from?: string): Promise<Socket> {
    const socket = await connectTo(address, from);
    clients.push(socket);
    socket.pause();
    socket.on('error', () => {});
    socket.write(REQUEST.repeat(requests));
    return socket;
  }

  it('30 pipelined requests on each of 40 connections hold one response each', async () => {
    // More than the system takes off our hands for a caller who reads nothing.
    const { address, state, unread, sockets } = await serve(12 * MEGABYTE);
    const before = process.memoryUsage.rss();
    for (let n = 0; n < 40; n += 1) await unreadConnection(address, 30);
    await expect.poll(() => state.answers).toBeGreaterThanOrEqual(40);
    // A round of the event loop for every answer that may still come.
    for (let n = 0; n < 100; n += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(state.answers).toBe(40);
    expect(state.unreadMost).toBeLessThanOrEqual(64 * MEGABYTE + 12 * MEGABYTE);
    expect(unread()).toBeLessThanOrEqual(64 * MEGABYTE + 12 * MEGABYTE);
    expect(sockets.size).toBeLessThan(10);
    // 1,200 responses would be 14 GB; what was cut off is collected at leisure.
    expect(process.memoryUsage.rss() - before).toBeLessThan(200 * MEGABYTE);
  });

  it('whoever has most of it cuts off nobody else, however long that one has been reading', async () => {
    const { address, state, sockets } = await serve(12 * MEGABYTE);
    await unreadConnection(address, 1, '127.0.0.2');
    await expect.poll(() => state.answers).toBe(1);
    for (let n = 0; n < 20; n += 1) await unreadConnection(address, 1);
    await expect.poll(() => state.answers).toBe(21);
    await expect.poll(() => sockets.size).toBeLessThan(10);
    expect([...sockets].map(({ remoteAddress }) => remoteAddress)).toContain('127.0.0.2');
  });

  it('all pipelined requests are answered to a client that reads', async () => {
    const { address, state } = await serve(2 * MEGABYTE);
    const socket = await unreadConnection(address, 30);
    let heard = 0;
    socket.on('data', (chunk: Buffer) => {
      heard += chunk.length;
    });
    socket.resume();
    await expect.poll(() => heard, { timeout: 60_000 }).toBeGreaterThan(30 * 2 * MEGABYTE);
    expect(state.answers).toBe(30);
  });

  it('a client that reads nothing is cut off', async () => {
    const { address, sockets } = await serve(12 * MEGABYTE, { ...PATIENCE, readMs: 100 });
    await unreadConnection(address, 2);
    await expect.poll(() => sockets.size).toBe(1);
    await expect.poll(() => sockets.size).toBe(0);
  });

  it('so is one that reads a little now and then', async () => {
    const { address, sockets } = await serve(48 * MEGABYTE, { ...PATIENCE, responseMs: 500 });
    const socket = await unreadConnection(address, 1);
    const reading = setInterval(() => socket.read(10_000), 5);
    await expect.poll(() => sockets.size).toBe(1);
    await expect.poll(() => sockets.size, { timeout: 60_000 }).toBe(0);
    clearInterval(reading);
  });
});
