import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { header } from '../../tools/samples/challenge.ts';

/** A request as a seller sees it. */
export interface Asked {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly body: string;
  /** The raw text. */
  readonly text: string;
}

/** The parts follow each other after a short pause. */
export interface Reply {
  readonly parts: readonly Buffer[];
  readonly end: 'close' | 'stay' | 'reset';
}

export type Sell = (asked: Asked) => Reply;
export type Fields = readonly (readonly [string, string])[];

const PAUSE_MS = 20;

export interface Sellers {
  readonly port: number;
  close(): Promise<void>;
}

/** All sellers are one server on loopback; the Host field says which one is asked. */
export async function startSellers(sellOf: (host: string) => Sell | undefined): Promise<Sellers> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    let text = '';
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const asked = readRequest(text);
      if (asked === null) return;
      text = '';
      const [, host = ''] = /\r\nhost: ([^\s:]+)/i.exec(asked.text) ?? [];
      void send(socket, sellOf(host)?.(asked) ?? answer(404));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on TCP has an AddressInfo; only pipes have a string.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Null until it is whole. */
function readRequest(text: string): Asked | null {
  const end = text.indexOf('\r\n\r\n');
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0);
  if (end === -1 || text.length < end + 4 + length) return null;
  const [, method = '', path = ''] = /^(\S+) (\S+)/.exec(text) ?? [];
  return { method, path, body: text.slice(end + 4), text };
}

async function send(socket: Socket, { parts, end }: Reply): Promise<void> {
  for (const [index, part] of parts.entries()) {
    if (index > 0) await wait(PAUSE_MS);
    if (socket.destroyed) return;
    socket.write(part);
  }
  if (end === 'close') socket.end();
  if (end === 'reset') socket.destroy();
}

export function answer(status: number, fields: Fields = [], body: string | Buffer = ''): Reply {
  return { parts: [message(status, fields, body)], end: 'close' };
}

/** With its length, unless a field already says how the body ends. */
export function message(status: number, fields: Fields, body: string | Buffer = ''): Buffer {
  const bytes = Buffer.from(body);
  const hasLength = fields.some(([name]) => /^(?:content-length|transfer-encoding)$/i.test(name));
  const all = hasLength ? fields : [...fields, ['Content-Length', String(bytes.byteLength)] as const];
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Answer\r\n${lines}\r\n`, 'latin1'), bytes]);
}

/** Bytes as they are. */
export function raw(text: string | Buffer, end: Reply['end'] = 'close'): Sell {
  return () => ({ parts: [Buffer.from(text)], end });
}

const JSON_TYPE = ['Content-Type', 'application/json'] as const;

/** A 402 with this document in the header of version 2. */
export function inHeader(document: unknown, fields: Fields = [], body = '{}'): Sell {
  return () => answer(402, [header(document), JSON_TYPE, ...fields], body);
}

/** A 402 with this document as its body. */
export function inBody(document: unknown, fields: Fields = []): Sell {
  return () => answer(402, [JSON_TYPE, ...fields], JSON.stringify(document));
}

/** Terms of version 2 in the header. */
export function v2(accepts: readonly unknown[], more: object = {}): Sell {
  return inHeader({ x402Version: 2, error: 'Payment required', accepts, ...more });
}

/** Terms of version 1 in the body. */
export function v1(accepts: readonly unknown[], more: object = {}): Sell {
  return inBody({ x402Version: 1, error: 'X-PAYMENT header is required', accepts, ...more });
}

/** The same seller in both versions. */
export function dual(inHead: readonly unknown[], inText: readonly unknown[], version: 1 | 2 = 1): Sell {
  return inHeader(
    { x402Version: 2, accepts: inHead },
    [],
    JSON.stringify({ x402Version: version, accepts: inText }),
  );
}

export const nothing: Sell = () => ({ parts: [], end: 'stay' });
