import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { httpAnswer, type Script } from '../../../test/support/probing/fake-seller.ts';
import { answering, IMPATIENT_MS, probing, TERMS } from '../../../test/support/probing/probing.ts';

/** Ends with its 15th byte for a decoder. Clients that do not know brotli read all of it. */
const JSON_IN_BROTLI = Buffer.concat([
  Buffer.from('207b22a2c0518a8a89bca02fee71cf', 'hex'),
  Buffer.from('":0,"x402Version":1,"accepts":[]}'),
]);
/** The same in UTF-16, which readers of JSON detect: its first byte is zero. */
const UTF_16_IN_BROTLI = Buffer.concat([
  Buffer.from('007b0022445e8017006f0f00', 'hex'),
  Buffer.from('":0,"x402Version":1,"accepts":[]}', 'utf16le').swap16(),
]);

describe('what comes back', () => {
  it('is the status alone when it is no 402, however long the body would be', async () => {
    const { probe } = await probing((socket) =>
      socket.write(httpAnswer(200, [['Content-Length', '1000000000']], 'x')),
    );
    expect(await probe('http://seller.example.net/')).toMatchObject({ kind: 'answered', status: 200 });
  });

  it('is header and body of a 402', async () => {
    const { probe } = await probing(answering(402, [TERMS, ['X-Twice', '1'], ['x-twice', '2']], '{"a":1}'));
    const outcome = await probe('http://seller.example.net/');
    expect(outcome).toMatchObject({ kind: 'answered', status: 402, bodyComplete: true });
    if (outcome.kind !== 'answered') return;
    expect(outcome.headers).toContainEqual(['x-twice', '1']);
    expect(outcome.headers).toContainEqual(['x-twice', '2']);
    expect(Buffer.from(outcome.body).toString()).toBe('{"a":1}');
  });

  it.each<[string, Script, object]>([
    [
      '200 fields',
      answering(
        402,
        Array.from({ length: 199 }, () => ['x', 'y']),
      ),
      { kind: 'answered' },
    ],
    [
      '201 fields',
      answering(
        402,
        Array.from({ length: 200 }, () => ['x', 'y']),
      ),
      { kind: 'headers_too_large' },
    ],
    ['a field of 100 kB', answering(402, [['x', 'y'.repeat(100_000)]]), { kind: 'headers_too_large' }],
    [
      '8 informational answers',
      (socket) => socket.end(Buffer.concat([informational(8), httpAnswer(402, [])])),
      { kind: 'answered' },
    ],
    ['9 informational answers', (socket) => socket.write(informational(9)), { kind: 'timed_out' }],
    [
      'an upgrade nobody asked for',
      (socket) => socket.write('HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
      { kind: 'unreachable' },
    ],
    ['silence', () => undefined, { kind: 'timed_out' }],
    [
      'headers, a byte at a time',
      (socket) => void drip(socket, `HTTP/1.1 402 Answer\r\nx: ${'y'.repeat(1_000)}`),
      { kind: 'timed_out' },
    ],
    [
      'a body, a byte at a time',
      (socket) => void drip(socket, '{', [['Content-Length', '9999']]),
      { kind: 'timed_out' },
    ],
    [
      'the same behind terms in the header',
      (socket) => void drip(socket, '{', [TERMS, ['Content-Length', '9999']]),
      { kind: 'timed_out' },
    ],
    [
      'a web page, a byte at a time, behind terms in the header',
      (socket) => void drip(socket, '<', [TERMS, ['Content-Length', '9999']]),
      { kind: 'answered', bodyComplete: false, body: expect.toSatisfy(beginsLikeAPage) },
    ],
    [
      'the same, encoded',
      (socket) => void drip(socket, '<', [TERMS, ['Content-Encoding', 'gzip'], ['Content-Length', '9999']]),
      { kind: 'timed_out' },
    ],
    ['a reset', (socket) => socket.resetAndDestroy(), { kind: 'unreachable', cause: 'connection_failed' }],
    ['not HTTP', (socket) => socket.end('hello\n'), { kind: 'unreachable', cause: 'not_http' }],
    [
      'a second answer that nobody reads',
      (socket) => socket.end(Buffer.concat([httpAnswer(402, []), httpAnswer(200, [])])),
      { status: 402 },
    ],
  ])('of %s', async (_, script, expected) => {
    const runsOut = 'bodyComplete' in expected || ('kind' in expected && expected.kind === 'timed_out');
    const { probe } = await probing(script, runsOut ? { timeoutMs: IMPATIENT_MS } : {});
    expect(await probe('http://seller.example.net/')).toMatchObject(expected);
  });

  it('of a body in a quarter of a million chunks of one byte', async () => {
    const flood: Script = (socket) => {
      socket.write('HTTP/1.1 402 Answer\r\nTransfer-Encoding: chunked\r\n\r\n');
      socket.write('1\r\n{\r\n'.repeat(273_000));
    };
    const { probe } = await probing(flood, { timeoutMs: 60_000 });
    expect(await probe('http://seller.example.net/')).toMatchObject({
      kind: 'answered',
      bodyComplete: false,
    });
  });

  it('of blank lines without end, which are not read to the deadline', async () => {
    const flood: Script = (socket) => {
      const more = () => socket.writable && socket.write('\r\n'.repeat(32_768)) && setImmediate(more);
      socket.on('drain', more);
      more();
    };
    const { probe } = await probing(flood, { timeoutMs: 60_000 });
    expect((await probe('http://seller.example.net/')).kind).not.toBe('answered');
  });

  it.each<[string, string, Buffer, object]>([
    [
      'gzip, although we asked for none',
      'gzip',
      gzipSync('{"a":1}'),
      { bodyComplete: true, body: Buffer.from('{"a":1}') },
    ],
    ['gzip that holds a megabyte', 'gzip', gzipSync(Buffer.alloc(1_000_000)), { bodyComplete: false }],
    ['brotli', 'br', brotliCompressSync('{"a":1}'), { bodyComplete: true, body: Buffer.from('{"a":1}') }],
    ['brotli that is JSON, too', 'br', JSON_IN_BROTLI, { bodyComplete: false }],
    ['the same, which fetch does not decode', 'identity, br', JSON_IN_BROTLI, { bodyComplete: false }],
    ['brotli that is JSON in UTF-16, too', 'br', UTF_16_IN_BROTLI, { bodyComplete: false }],
    ['gzip, of nothing', 'gzip', Buffer.alloc(0), { bodyComplete: true }],
    ['gzip inside gzip', 'gzip, gzip', gzipSync(gzipSync('{}')), { bodyComplete: false }],
    ['gzip that is none', 'gzip', Buffer.from('{}'), { bodyComplete: false }],
    ['a coding nobody knows', 'zip', Buffer.from('{}'), { bodyComplete: false }],
    ['a coding that others know', 'zstd', Buffer.from('{}'), { bodyComplete: false }],
    ['the name of no coding', 'identity', Buffer.from('{}'), { bodyComplete: true }],
    ['a name that every client passes over', 'UTF-8, aws-chunked', Buffer.from('{}'), { bodyComplete: true }],
  ])('a body in %s', async (_, coding, body, expected) => {
    const head = httpAnswer(402, [
      ['Content-Encoding', coding],
      ['Content-Length', String(body.length)],
    ]);
    const { probe } = await probing((socket) => socket.end(Buffer.concat([head, body])));
    expect(await probe('http://seller.example.net/')).toMatchObject({ kind: 'answered', ...expected });
  });
});

it('has samples of brotli that two readers see differently', () => {
  expect(brotliDecompressSync(JSON_IN_BROTLI).toString()).toBe('y'.repeat(10_163));
  expect(Object.values(JSON.parse(JSON_IN_BROTLI.toString()))).toEqual([0, 1, []]);
  expect(brotliDecompressSync(UTF_16_IN_BROTLI).toString()).toBe('y'.repeat(1_969));
  expect(Object.values(JSON.parse(new TextDecoder('utf-16be').decode(UTF_16_IN_BROTLI)))).toEqual([0, 1, []]);
});

function informational(count: number): Buffer {
  return Buffer.from('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(count));
}

function drip(socket: Parameters<Script>[0], text: string, headers?: [string, string][]): void {
  if (headers !== undefined) socket.write(httpAnswer(402, headers));
  let at = 0;
  const timer = setInterval(() => socket.write(text.charAt(at++ % text.length)), 10);
  socket.on('close', () => clearInterval(timer));
}

/** The beginning is what tells the judge that nothing is hidden in the rest. */
function beginsLikeAPage(body: Uint8Array): boolean {
  return Buffer.from(body).toString().startsWith('<');
}
