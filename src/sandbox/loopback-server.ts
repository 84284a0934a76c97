import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export interface LoopbackRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

export type LoopbackAnswer =
  | { readonly kind: 'json'; readonly status: number; readonly body: string }
  /** The connection ends without an answer. */
  | { readonly kind: 'hang_up' };

export interface LoopbackServer {
  readonly url: string;
  stop(): Promise<void>;
}

export interface LoopbackOptions {
  /** Any free one when left out. */
  readonly port?: number | undefined;
  readonly handle: (request: LoopbackRequest) => Promise<LoopbackAnswer>;
}

const BODY_MAX_BYTES = 1_048_576;
const REQUEST_MS = 30_000;

/** A small JSON server that only this machine can reach. */
export async function serveLoopback({ port = 0, handle }: LoopbackOptions): Promise<LoopbackServer> {
  const server = createServer({ requestTimeout: REQUEST_MS }, (request, response) => {
    answer(request, response, handle).catch(() => send(response, 500, '{"error":"internal"}'));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a server on a port has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
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
  const body = await readBody(request);
  if (body === null) return send(response, 413, '{"error":"too large"}');
  const result = await handle({ method: request.method ?? 'GET', path: request.url ?? '/', body });
  if (result.kind === 'hang_up') {
    response.destroy();
    return;
  }
  send(response, result.status, result.body);
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

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}
