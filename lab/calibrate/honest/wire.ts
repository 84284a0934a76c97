import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { base64, ENTRY, header } from '../../../tools/samples/challenge.ts';
import { behaviours } from '../behaviour.ts';
import { old } from '../offers.ts';
import { answer, type Fields, inHeader, message, nothing, raw, type Sell, v2 } from '../seller.ts';

const DOCUMENT = { x402Version: 2, error: 'Payment required: ünïcödé?>', accepts: [ENTRY] };
const ENCODED = base64(JSON.stringify(DOCUMENT));
const OLD = JSON.stringify({ x402Version: 1, accepts: [old()] });
const field =
  (name: string, value: string): Sell =>
  () =>
    answer(402, [[name, value]], '{}');
const packed = (coding: string, bytes: Buffer): Sell => {
  return () =>
    answer(
      402,
      [
        ['Content-Encoding', coding],
        ['Content-Type', 'application/json'],
      ],
      bytes,
    );
};
const many = (count: number): Fields =>
  Array.from({ length: count }, (_, index) => [`X-Trace-${index}`, 'abcdefgh'] as const);
const pieces = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
const inPieces = (bytes: Buffer, size: number): Sell => {
  return () => ({ parts: pieces(bytes, size), end: 'close' });
};
const stays =
  (bytes: Buffer): Sell =>
  () => ({ parts: [bytes], end: 'stay' });
const chunked = (text: string, extension = ''): string =>
  `${text.length.toString(16)}${extension}\r\n${text}\r\n0\r\n`;
const CHUNKED: Fields = [['Transfer-Encoding', 'chunked']];

const HEADERS = behaviours('honest', 'odd but legal headers', {
  'a name in lower case': field('payment-required', ENCODED),
  'a name in mixed case': field('Payment-Required', ENCODED),
  'blanks around the value': field('PAYMENT-REQUIRED', `   ${ENCODED}  \t`),
  'no padding': field('PAYMENT-REQUIRED', ENCODED.replace(/=+$/, '')),
  base64url: field('PAYMENT-REQUIRED', ENCODED.replaceAll('+', '-').replaceAll('/', '_')),
  'base64url without padding': field(
    'PAYMENT-REQUIRED',
    ENCODED.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''),
  ),
  'blanks in the JSON': field('PAYMENT-REQUIRED', base64(JSON.stringify(DOCUMENT, null, 2))),
  'escaped letters in the JSON': field(
    'PAYMENT-REQUIRED',
    base64(JSON.stringify(DOCUMENT).replaceAll('ü', '\\u00fc')),
  ),
  'thirty kilobytes of terms': v2([ENTRY], { description: 'weather '.repeat(2_800) }),
  'many other fields': inHeader(DOCUMENT, many(120)),
  'cookies and caching': inHeader(DOCUMENT, [
    ['Set-Cookie', 'a=1; Path=/'],
    ['Set-Cookie', 'b=2; HttpOnly'],
    ['Cache-Control', 'public, max-age=0, must-revalidate'],
  ]),
  'an authentication challenge beside it': inHeader(DOCUMENT, [['WWW-Authenticate', 'Bearer realm="api"']]),
  'a Retry-After': inHeader(DOCUMENT, [['Retry-After', '0']]),
  'the older response header beside it': inHeader(DOCUMENT, [['X-Payment-Response', '']]),
});

const BODIES = behaviours('honest', 'bodies and codings', {
  gzip: packed('gzip', gzipSync(OLD)),
  brotli: packed('br', brotliCompressSync(OLD)),
  deflate: packed('deflate', deflateSync(OLD)),
  'gzip beside the header': () =>
    answer(402, [header(DOCUMENT), ['Content-Encoding', 'gzip']], gzipSync('{"error":"pay"}')),
  'two hundred kilobytes': () =>
    answer(402, [], JSON.stringify({ x402Version: 1, docs: 'x'.repeat(200_000), accepts: [old()] })),
  'problem details': () =>
    answer(
      402,
      [header(DOCUMENT), ['Content-Type', 'application/problem+json']],
      '{"title":"pay","status":402}',
    ),
  'a large page for people': () =>
    answer(
      402,
      [header(DOCUMENT), ['Content-Type', 'text/html']],
      `<html>${'<p>pay</p>'.repeat(12_000)}</html>`,
    ),
  'a charset': () => answer(402, [['Content-Type', 'application/json; charset=utf-8']], OLD),
});

const TRANSPORT = behaviours('honest', 'transport', {
  'a chunked body': () => ({ parts: [message(402, CHUNKED, `${chunked(OLD)}\r\n`)], end: 'close' }),
  'chunks with extensions': () => ({
    parts: [message(402, CHUNKED, `${chunked(OLD, ';a=b')}\r\n`)],
    end: 'close',
  }),
  'chunks with a trailer': () => ({
    parts: [message(402, CHUNKED, `${chunked(OLD)}X-Checksum: 7\r\n\r\n`)],
    end: 'close',
  }),
  'chunks in two packets': () => ({
    parts: [
      message(402, CHUNKED, `${OLD.length.toString(16)}\r\n${OLD.slice(0, 50)}`),
      Buffer.from(`${OLD.slice(50)}\r\n0\r\n\r\n`),
    ],
    end: 'close',
  }),
  'a body that ends with the connection': raw(
    `HTTP/1.1 402 Payment Required\r\nConnection: close\r\n\r\n${OLD}`,
  ),
  'no reason phrase': raw(`HTTP/1.1 402 \r\nPAYMENT-REQUIRED: ${ENCODED}\r\nContent-Length: 0\r\n\r\n`),
  'HTTP/1.0': raw(
    `HTTP/1.0 402 Payment Required\r\nPAYMENT-REQUIRED: ${ENCODED}\r\nContent-Length: 2\r\n\r\n{}`,
  ),
  'early hints first': raw(
    `HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\nHTTP/1.1 402 Payment Required\r\nPAYMENT-REQUIRED: ${ENCODED}\r\nContent-Length: 0\r\n\r\n`,
  ),
  'a connection that stays open': stays(message(402, [header(DOCUMENT), ['Connection', 'keep-alive']], '{}')),
  'keep-alive, and closed all the same': () =>
    answer(402, [header(DOCUMENT), ['Connection', 'keep-alive'], ['Keep-Alive', 'timeout=5']], '{}'),
  'a header in pieces': inPieces(message(402, [header(DOCUMENT)], '{}'), 120),
  'a body in pieces': inPieces(message(402, [['Content-Type', 'application/json']], OLD), 150),
  'slow, but in time': inPieces(message(402, [header(DOCUMENT)], OLD), 60),
});

const to = (status: number, location: string): Sell => {
  return ({ path }) =>
    path.startsWith('/data') ? answer(status, [['Location', location]]) : v2([ENTRY])(USUAL);
};
const USUAL = { method: 'GET', path: '/', body: '', text: '' };

const REDIRECTS = behaviours('honest', 'redirects within the host', {
  '301 to a path': to(301, '/v2/weather'),
  '302 to a path': to(302, '/v2/weather'),
  '307 to a path': to(307, '/v2/weather'),
  '308 to a path': to(308, '/v2/weather'),
  'to a relative path': to(302, 'weather'),
  'to a path with a query': to(302, '/v2/weather?units=metric'),
  'to a slash at the end': {
    sell: ({ path }) =>
      path === '/api/data/' ? v2([ENTRY])(USUAL) : answer(308, [['Location', '/api/data/']]),
    path: '/api/data',
  },
  twice: ({ path }) =>
    path === '/data'
      ? answer(302, [['Location', '/one']])
      : to(307, '/two')({ ...USUAL, path: path === '/one' ? '/data' : '/two' }),
});

const says =
  (status: number, fields: Fields = []): Sell =>
  () =>
    answer(status, fields, '{}');

/** It says nothing about the seller, so `recheck` is all that can be hoped for. */
const MOMENTS = behaviours('honest', 'out of order for a moment', {
  '500': says(500),
  '502': says(502),
  '503 with a time to come back': says(503, [['Retry-After', '30']]),
  '503 with its terms': says(503, [header(DOCUMENT)]),
  '504': says(504),
  'too busy to answer': { sell: nothing, hangs: true },
  'stops in the middle': { sell: raw('HTTP/1.1 402 Payment Required\r\nPAYMENT-', 'stay'), hangs: true },
  'closes the connection': raw(''),
  'a look-up that fails': { sell: v2([ENTRY]), resolves: () => ({ kind: 'failed' }) },
  'too many requests': says(429, [['Retry-After', '30']]),
});

export const WIRE = [...HEADERS, ...BODIES, ...TRANSPORT, ...REDIRECTS, ...MOMENTS];
