import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { projectFile } from '../../../tools/project-file.ts';

/** What a seller does once a whole request has arrived; `request` is the raw text of it. */
export type Script = (socket: Socket, request: string) => void;

export interface FakeSeller {
  readonly port: number;
  /** Every request that arrived, raw. */
  readonly requests: string[];
  close(): Promise<void>;
}

export type Certificate = 'seller' | 'other-host' | 'expired' | 'self-signed';

export function certificate(name: Certificate | 'ca'): string {
  return readFileSync(projectFile(`fixtures/tls/${name}.crt`), 'utf8');
}

/** A server on loopback that may misbehave in every way HTTP libraries do not allow. */
export async function startSeller(script: Script, cert?: Certificate): Promise<FakeSeller> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const serve = (socket: Socket) => {
    sockets.add(socket);
    let text = '';
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (!isWhole(text)) return;
      requests.push(text);
      script(socket, text);
      text = '';
    });
  };
  const server =
    cert === undefined
      ? createServer(serve)
      : createTlsServer({ cert: certificate(cert), key: sellerKey() }, serve);
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: portOf(server), requests, close: () => closeAll(server, sockets) };
}

function sellerKey(): string {
  return readFileSync(projectFile('fixtures/tls/seller.key'), 'utf8');
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0);
  return end !== -1 && text.length >= end + 4 + length;
}

function portOf(server: Server): number {
  // A server that listens on TCP answers with an AddressInfo; only pipes answer with a string.
  return (server.address() as AddressInfo).port;
}

async function closeAll(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy();
  server.close();
  await once(server, 'close');
}

/** An HTTP answer as text. Header values may be repeated; bytes beyond ASCII go out as UTF-8. */
export function httpAnswer(
  status: number,
  headers: readonly (readonly [string, string])[],
  body = '',
): Buffer {
  const length = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name))
    ? []
    : [['Content-Length', String(Buffer.byteLength(body))] as const];
  const lines = [...headers, ...length].map(([name, value]) => `${name}: ${value}`);
  return Buffer.from([`HTTP/1.1 ${status} Answer`, ...lines, '', body].join('\r\n'));
}
