import type { IncomingMessage } from 'node:http';
import { GatewayRefused } from './problem.ts';

/** A request for the guard: where it goes, and what of it goes there. */
export interface TargetRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer> | null;
}

/** As much as the guard can send again. */
const BODY_MAX_BYTES = 16 * 1_048_576;

/** Throws GatewayRefused for what is not passed on. */
export async function readRequest(request: IncomingMessage): Promise<TargetRequest> {
  const { method = 'GET' } = request;
  refuseWebPages(request);
  // What fetch never sends.
  if (method === 'TRACE') throw new GatewayRefused('method_not_allowed', 'TRACE is not passed on.');
  const url = targetOf(request);
  const headers = passedHeaders(request);
  const body = await readBody(request);
  if (body !== null && BODILESS.has(method))
    throw new GatewayRefused('bad_request', `A ${method} request cannot have a body.`);
  return { url, method, headers, body };
}

const BODILESS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** A page in a browser on this machine reaches loopback too. It must neither ask with our address nor read what sellers say. */
function refuseWebPages({ headers }: IncomingMessage): void {
  const site = headers['sec-fetch-site'] ?? 'none';
  if (headers.origin !== undefined || site !== 'none')
    throw new GatewayRefused('from_web_page', 'The gateway is not for web pages.');
}

const ABSOLUTE = /^https?:\/\//i;

/** Of `/https://seller.example/path`, or of a request line in absolute form. */
function targetOf(request: IncomingMessage): URL {
  const { url: line = '', socket, headers } = request;
  const isAbsolute = ABSOLUTE.test(line);
  // A name that was pointed here is how a page on the web would get past the rule above. Proxied requests name their target.
  if (!isAbsolute && !isOwnHost(headers.host ?? '', socket.localPort))
    throw new GatewayRefused('wrong_host', 'The Host is not the loopback address of the gateway.');
  const text = isAbsolute ? line : line.slice(1);
  if (!ABSOLUTE.test(text) || !URL.canParse(text)) {
    // The Host of a proxied request is the seller's.
    const gateway = isAbsolute ? `127.0.0.1:${socket.localPort}` : headers.host;
    const example = `http://${gateway}/https://seller.example/path`;
    throw new GatewayRefused('bad_target', `The path must be the URL of the target, as in ${example}`);
  }
  const url = new URL(text);
  if (url.username !== '' || url.password !== '')
    throw new GatewayRefused('bad_target', 'The URL of the target cannot have a user name or password.');
  if (isOwnHost(url.host, socket.localPort))
    throw new GatewayRefused('bad_target', 'The target is the gateway itself.');
  return url;
}

const LOOPBACK = /^(?:localhost|127(?:\.[0-9]{1,3}){3}|\[::1\])(?::([0-9]{1,5}))?$/i;
const HTTP_PORT = 80;

function isOwnHost(host: string, port: number | undefined): boolean {
  const match = LOOPBACK.exec(host);
  return match !== null && Number(match[1] ?? HTTP_PORT) === port;
}

/** Fields of this connection, of proxies, and those that fetch itself writes; it can read only the encodings it asks for. */
const NOT_PASSED: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect'],
  ...['host', 'origin', 'content-length', 'accept-encoding'],
  ...['forwarded', 'via', 'x-real-ip'],
]);
const NOT_PASSED_KINDS = /^(?:proxy-|sec-fetch-|x-forwarded-)/;

function isPassed(name: string, connection: string): boolean {
  if (NOT_PASSED.has(name) || NOT_PASSED_KINDS.test(name)) return false;
  return !connection
    .toLowerCase()
    .split(',')
    .some((named) => named.trim() === name);
}

function passedHeaders({ rawHeaders, headers: { connection = '' } }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (isPassed(name.toLowerCase(), connection)) headers.append(name, value);
  }
  return headers;
}

/** Reads to the end even what is too large: a client that is still sending would not see the answer. */
function readBody(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer> | null> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    request.on('data', (piece: Buffer) => {
      length += piece.byteLength;
      if (length <= BODY_MAX_BYTES) pieces.push(piece);
      else pieces.length = 0;
    });
    request.once('error', reject);
    request.once('end', () => {
      if (length > BODY_MAX_BYTES)
        reject(new GatewayRefused('body_too_large', `A body can have ${BODY_MAX_BYTES} bytes at most.`));
      else resolve(length === 0 ? null : new Uint8Array(Buffer.concat(pieces)));
    });
  });
}
