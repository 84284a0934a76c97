import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway } from '../support/guarding/gateway.ts';

interface Seen {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A seller without prices, which keeps what it was sent. */
const seen: Seen[] = [];
const seller = createServer(async (asked, answer) => {
  seen.push({ line: `${asked.method} ${asked.url}`, headers: asked.headers, body: await text(asked) });
  const serve = ANSWERS[(asked.url ?? '').split('?')[0] ?? ''];
  if (serve === undefined) answer.end('goods');
  else serve(answer);
});
const ANSWERS: Readonly<Record<string, (answer: ServerResponse) => void>> = {
  '/gzip': (answer) => {
    const body = gzipSync('unpacked');
    answer.writeHead(200, { 'content-encoding': 'gzip', 'content-length': body.length }).end(body);
  },
  '/unknown-encoding': (answer) => void answer.writeHead(200, { 'content-encoding': 'zip' }).end('packed'),
  '/fields': (answer) => {
    answer.setHeader('set-cookie', ['a=1', 'b=2']);
    answer.setHeader('proxy-authenticate', 'Basic');
    answer.setHeader('x-field', 'kept');
    answer.writeHead(404).end('nothing');
  },
  '/gone': (answer) => void answer.destroy(),
  '/elsewhere': (answer) => void answer.writeHead(302, { location: '/there' }).end(),
};
let target = '';
beforeAll(async () => {
  seller.listen(0, '127.0.0.1');
  await once(seller, 'listening');
  // A server on a port has an address with a port.
  target = `http://127.0.0.1:${(seller.address() as AddressInfo).port}`;
});
afterAll(() => void seller.close().closeAllConnections());

interface Asking {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** One request with exactly this request line and these headers. */
async function ask(port: number, path: string, { method = 'GET', headers = {}, body }: Asking = {}) {
  const asked = request({ host: '127.0.0.1', port, path, method, headers, agent: false });
  asked.end(body);
  const [answer]: IncomingMessage[] = await once(asked, 'response');
  if (answer === undefined) throw new Error('no answer');
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
}

async function codeOf(answer: ReturnType<typeof ask>): Promise<[number | undefined, string]> {
  const { status, headers, body } = await answer;
  expect(headers['content-type']).toBe('application/problem+json');
  const problem: { readonly code: string; readonly status: number } = JSON.parse(body);
  expect(problem.status).toBe(status);
  return [status, problem.code];
}

const open = () => startGateway(fetch);

describe('the gateway', () => {
  it('passes method, query, fields and body on', async () => {
    const { port } = await open();
    const headers = { 'content-type': 'text/x', authorization: 'Bearer x', 'X-Field': 'kept' };
    const answer = await ask(port, `/${target}/a%20b?q=1&q=2`, { method: 'PATCH', headers, body: 'body' });
    expect([answer.status, answer.body]).toEqual([200, 'goods']);
    const last = seen.at(-1);
    expect([last?.line, last?.body]).toEqual(['PATCH /a%20b?q=1&q=2', 'body']);
    expect(last?.headers).toMatchObject({
      ...{ 'content-type': 'text/x', authorization: 'Bearer x' },
      'x-field': 'kept',
    });
  });

  it('reads a request line in absolute form, as to a proxy', async () => {
    const { port } = await open();
    const { host } = new URL(target);
    expect((await ask(port, `${target}/proxied`, { headers: { host } })).body).toBe('goods');
    expect([seen.at(-1)?.line, seen.at(-1)?.headers.host]).toEqual(['GET /proxied', host]);
  });

  it('keeps fields of the connection, of proxies and of browsers to itself', async () => {
    const { port } = await open();
    const own = {
      ...{ 'proxy-authorization': 'Basic x', 'proxy-connection': 'x', te: 'trailers', 'keep-alive': 'x' },
      ...{ 'x-forwarded-for': '1.2.3.4', forwarded: 'for=1.2.3.4', via: '1.1 x', 'sec-fetch-site': 'none' },
      ...{ connection: 'close, x-hop', 'x-hop': 'x' },
    };
    await ask(port, `/${target}/`, { headers: own });
    const got = seen.at(-1)?.headers ?? {};
    expect(got['host']).toBe(new URL(target).host);
    const left = new Set(Object.keys(own).filter((name) => name !== 'connection'));
    expect(Object.keys(got).filter((name) => left.has(name))).toEqual([]);
  });

  it('passes answers on as they are read', async () => {
    const { port } = await open();
    const unpacked = await ask(port, `/${target}/gzip`, { headers: { 'accept-encoding': 'zstd' } });
    expect([unpacked.body, unpacked.headers['content-encoding'], unpacked.headers['content-length']]).toEqual(
      [...['unpacked', undefined, undefined]],
    );
    expect(seen.at(-1)?.headers['accept-encoding']).not.toContain('zstd');
    const packed = await ask(port, `/${target}/unknown-encoding`);
    expect([packed.body, packed.headers['content-encoding']]).toEqual(['packed', 'zip']);
    const fields = await ask(port, `/${target}/fields`);
    expect([fields.status, fields.body, fields.headers['x-field']]).toEqual([404, 'nothing', 'kept']);
    expect(fields.headers['set-cookie']).toEqual(['a=1', 'b=2']);
    expect(fields.headers['proxy-authenticate']).toBeUndefined();
    const head = await ask(port, `/${target}/gzip`, { method: 'HEAD' });
    expect([head.status, head.body, head.headers['content-encoding']]).toEqual([200, '', 'gzip']);
    expect((await ask(port, `/${target}/elsewhere`)).body).toBe('goods');
    expect(seen.at(-1)?.line).toBe('GET /there');
  });

  // What fetch makes of it is simulated: the Node that runs the tests has one way only.
  it.each<[string, Uint8Array<ArrayBuffer>, string | undefined]>([
    ['that fetch has decoded, as on Node 24', new TextEncoder().encode('unpacked'), undefined],
    ['that it has not, as on Node 20', Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0), 'zstd'],
  ])('passes on zstd %s', async (_, body, encoding) => {
    const { port } = await startGateway(
      async () => new Response(body, { headers: { 'content-encoding': 'zstd', 'content-length': '5' } }),
    );
    const answer = await ask(port, `/${target}/`);
    expect([answer.body, answer.headers['content-encoding']]).toEqual([
      ...[new TextDecoder().decode(body), encoding],
    ]);
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['an origin', { origin: 'https://evil.example' }],
    ['an origin that is not told', { origin: 'null' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a site beside it', { 'sec-fetch-site': 'same-site' }],
    // What a seller delivers as a page would be of the gateway's own origin.
    ['its own site', { 'sec-fetch-site': 'same-origin' }],
  ])('is not for web pages: %s', async (_, headers) => {
    const { port } = await open();
    const before = seen.length;
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      expect(await codeOf(ask(port, `/${target}/`, { method, headers }))).toEqual([403, 'from_web_page']);
    }
    expect(seen).toHaveLength(before);
  });

  it('has no name but those of loopback, with its port', async () => {
    const { port } = await open();
    const hosted = (host: string) => ask(port, `/${target}/`, { headers: { host } });
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`]) {
      expect((await hosted(host)).status).toBe(200);
    }
    const before = seen.length;
    for (const host of [
      ...[`evil.example:${port}`, '127.0.0.1', `127.0.0.1:${port + 1}`, `localhost.evil.example:${port}`],
      ...[`127.0.0.1.evil.example:${port}`, `[::2]:${port}`, `evil@127.0.0.1:${port}`],
    ]) {
      expect(await codeOf(hosted(host))).toEqual([421, 'wrong_host']);
    }
    expect(seen).toHaveLength(before);
  });

  it.each<[string, (port: number) => string]>([
    ['no target', () => '/'],
    ['a path', () => '/weather'],
    ['another scheme', () => '/ftp://seller.example/'],
    ['a file', () => '/file:///etc/passwd'],
    ['no host', () => '/https://'],
    ['a password', () => '/https://user:secret@seller.example/'],
    ['the gateway itself', (port) => `/http://127.0.0.1:${port}/${target}/`],
    ['the gateway by its name', (port) => `/http://localhost:${port}/${target}/`],
    ['the gateway as a proxy', (port) => `http://127.0.0.1:${port}/${target}/`],
  ])('refuses %s as a target', async (_, path) => {
    const { port } = await open();
    expect(await codeOf(ask(port, path(port)))).toEqual([400, 'bad_target']);
  });

  it.each<[string, (port: number) => string]>([
    ['its address', (port) => `127.0.0.1:${port}`],
    ['its name', (port) => `localhost:${port}`],
  ])('shows how to ask with %s, as the request has it', async (_, hostOf) => {
    const { port } = await open();
    const host = hostOf(port);
    const { body } = await ask(port, '/weather', { headers: { host } });
    expect(JSON.parse(body).detail).toContain(` http://${host}/https://seller.example/path`);
  });

  it('opens no tunnel, and says why', async () => {
    const { port } = await open();
    const socket = connect(port, '127.0.0.1');
    socket.write('CONNECT seller.example:443 HTTP/1.1\r\nhost: seller.example:443\r\n\r\n');
    const said = await text(socket);
    expect(said).toMatch(/^HTTP\/1\.1 405 /);
    expect(said).toContain('A tunnel would hide the 402 and the payment from the guard');
  });

  it('takes a body of 16 MB and no more, and goes on with the connection', async () => {
    const { port } = await open();
    const body = new Uint8Array(16 * 1_048_576);
    expect((await ask(port, `/${target}/`, { method: 'POST', body })).status).toBe(200);
    const large = new Uint8Array(body.length + 1);
    expect(await codeOf(ask(port, `/${target}/`, { method: 'POST', body: large }))).toEqual([
      ...[413, 'body_too_large'],
    ]);
    expect(await codeOf(ask(port, `/${target}/`, { headers: { 'content-length': '1' }, body: 'x' }))).toEqual(
      [400, 'bad_request'],
    );
    expect(await codeOf(ask(port, `/${target}/`, { method: 'TRACE' }))).toEqual([405, 'method_not_allowed']);
  });

  it.each([
    ['headers that are too large', `GET / HTTP/1.1\r\nx: ${'x'.repeat(40_000)}\r\n\r\n`, 431],
    ['something else than HTTP', 'hello\r\n\r\n', 400],
  ])('refuses %s', async (_, sent, status) => {
    const { port } = await open();
    const socket = connect(port, '127.0.0.1');
    socket.write(sent);
    expect(await text(socket)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*"status":${status},`));
  });

  it('says 502 when the target gives no answer, without the words of the system', async () => {
    const { port } = await open();
    for (const url of [`${target}/gone`, 'http://127.0.0.1:9/']) {
      const { status, body } = await ask(port, `/${url}`);
      expect([status, JSON.parse(body)]).toEqual([
        502,
        {
          type: 'urn:assay:guard:no_answer',
          title: 'No answer',
          status: 502,
          detail: 'The target gave no answer.',
          code: 'no_answer',
          purchase_id: null,
        },
      ]);
    }
  });
});
