import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';

export interface LoopbackRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  /** A field that was sent once; null when it was not. */
  readonly header: (name: string) => string | null;
}

export type LoopbackAnswer =
  | {
      readonly kind: 'json';
      readonly status: number;
      readonly body: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** The connection ends without an answer. */
  | { readonly kind: 'hang_up' };

export interface LoopbackServer {
  readonly url: string;
  stop(): Promise<void>;
}

export interface LoopbackOptions {
  /** An address of 127.0.0.0/8, all of which lead to this machine. */
  readonly host?: string | undefined;
  /** Any free one when left out. */
  readonly port?: number | undefined;
  readonly handle: (request: LoopbackRequest) => Promise<LoopbackAnswer>;
}

const PORT_TAKEN = ', another process has the port; stop it or change --port';
const BODY_MAX_BYTES = 1_048_576;
const REQUEST_MS = 30_000;

/** A small JSON server that only this machine can reach. */
export async function serveLoopback({
  host = '127.0.0.1',
  port = 0,
  handle,
}: LoopbackOptions): Promise<LoopbackServer> {
  if (!host.startsWith('127.')) throw new Error(`${host} is not an address of this machine alone`);
  const server = createServer({ requestTimeout: REQUEST_MS }, (request, response) => {
    answer(request, response, handle).catch(() => send(response, 500, '{"error":"internal"}'));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      reject(
        new Error(`cannot listen on ${host}:${port}: ${code}${code === 'EADDRINUSE' ? PORT_TAKEN : ''}`),
      ),
    );
    server.listen(port, host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a server on a port has no port');
  return {
    url: `http://${host}:${address.port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  handle: LoopbackOptions['handle'],
): Promise<void> {
  const { method = 'GET', url: path = '/', headers } = request;
  const body = await readBody(request);
  if (body === null) return send(response, 413, '{"error":"too large"}');
  const result = await handle({ method, path, body, header: (name) => fieldOf(headers, name) });
  if (result.kind === 'hang_up') {
    response.destroy();
    return;
  }
  send(response, result.status, result.body, result.headers);
}

function fieldOf(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name.toLowerCase()];
  return typeof value === 'string' ? value : null;
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > BODY_MAX_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function send(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}
