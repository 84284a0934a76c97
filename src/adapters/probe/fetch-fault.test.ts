import type { Socket } from 'node:net';
import { setImmediate as aTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { certificate, httpAnswer, type Script } from '../../../test/support/probing/fake-seller.ts';
import {
  BROKEN,
  fault,
  faultOf,
  fetching,
  LATE,
  TOO_LARGE,
  UNREACHABLE,
} from '../../../test/support/probing/gated-fetching.ts';
import { answering, PUBLIC_ADDRESS } from '../../../test/support/probing/probing.ts';
import type { GatedFetchParts } from './gated-fetch.ts';
import type { Resolution } from './resolve.ts';

const PLAIN_URL = 'http://seller.example.net/';
const SECURE_URL = 'https://seller.example.net/';
const SECURE = { authorities: [certificate('ca')] };
const NO_TLS = fault('tls_failed', 'no secure connection', false);
const ELSEWHERE = fault('redirected', 'the answer leads elsewhere', true);
const UNDECODABLE = fault('undecodable', 'the answer cannot be decoded within its limit', true);

describe('TLS', () => {
  it('is verified for the name', async () => {
    const { gatedFetch, requests } = await fetching(answering(200, [], 'ok'), SECURE, 'seller');
    expect(await (await gatedFetch(SECURE_URL)).text()).toBe('ok');
    expect(requests[0]).toContain('host: seller.example.net\r\n');
  });

  it.each<['self-signed' | 'other-host' | 'expired']>([['self-signed'], ['other-host'], ['expired']])(
    'with a certificate that is %s is none, and nothing is sent',
    async (cert) => {
      const { gatedFetch, requests } = await fetching(answering(200), SECURE, cert);
      expect(await faultOf(gatedFetch(SECURE_URL))).toEqual(NO_TLS);
      expect(requests).toEqual([]);
    },
  );

  it('does not trust our own authority without being told', async () => {
    const { gatedFetch } = await fetching(answering(200), {}, 'seller');
    expect(await faultOf(gatedFetch(SECURE_URL))).toEqual(NO_TLS);
  });
});

describe('an answer that leads elsewhere', () => {
  it.each([[301], [302], [303], [307], [308]])('is not followed (%i)', async (status) => {
    const { gatedFetch, seen, requests } = await fetching(
      answering(status, [['Location', 'http://169.254.169.254/']]),
    );
    const asking = gatedFetch(PLAIN_URL, { method: 'POST', body: '{}', redirect: 'follow' });
    expect(await faultOf(asking)).toEqual(ELSEWHERE);
    expect([requests.length, seen.asked]).toEqual([1, ['seller.example.net']]);
  });
});

/** Writes a piece now and then, for as long as anybody listens. */
function dripping(start: string, piece: string): Script {
  return (socket) => {
    socket.write(start);
    const timer = setInterval(() => socket.write(piece), 20);
    socket.on('close', () => clearInterval(timer));
  };
}

describe('one deadline', () => {
  it.each<[string, Script]>([
    ['silence', () => undefined],
    ['headers, a piece at a time', dripping('HTTP/1.1 200 OK\r\n', 'x: y\r\n')],
    ['a body, a byte at a time', dripping('HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n', 'x')],
    [
      'chunks, a byte at a time',
      dripping('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', '1\r\nx\r\n'),
    ],
  ])('ends %s', async (_, script) => {
    const { gatedFetch } = await fetching(script, { timeoutMs: 1_000 });
    expect(await faultOf(gatedFetch(PLAIN_URL))).toEqual(LATE);
  });

  it.each<[string, Partial<GatedFetchParts>]>([
    ['a resolver that never answers', { resolve: () => new Promise(() => undefined) }],
    ['an address that keeps silent', { dial: () => new Promise(() => undefined) }],
  ])('ends the wait for %s, with nothing sent', async (_, silent) => {
    const { gatedFetch } = await fetching(answering(200), { timeoutMs: 100, ...silent });
    expect(await faultOf(gatedFetch(PLAIN_URL))).toEqual({ ...LATE, sent: false });
  });

  it('ends the wait for a body that the caller never finishes', async () => {
    const { gatedFetch, requests } = await fetching(answering(200), { timeoutMs: 100 });
    // The declaration of the platform lacks the member that the platform demands for a stream.
    const endless = { method: 'POST', body: new ReadableStream(), duplex: 'half' } as RequestInit;
    expect(await faultOf(gatedFetch(PLAIN_URL, endless))).toEqual({ ...LATE, sent: false });
    expect(requests).toEqual([]);
  });

  it('does not send what waited for its connection until it was too late', async () => {
    let answer: (resolution: Resolution) => void = () => undefined;
    const resolve = () =>
      new Promise<Resolution>((answered) => {
        answer = answered;
      });
    const { gatedFetch, seen, requests } = await fetching(answering(200), { resolve });
    const caller = new AbortController();
    const asking = faultOf(gatedFetch(PLAIN_URL, { signal: caller.signal }));
    await expect.poll(() => answer.length).toBeGreaterThan(0);
    caller.abort();
    expect(await asking).toEqual(fault('cancelled', 'called off', false));
    answer({ kind: 'addresses', addresses: [PUBLIC_ADDRESS] });
    await expect.poll(() => seen.closed).toBe(1);
    expect(requests).toEqual([]);
  });
});

describe('a caller that calls off', () => {
  it('is obeyed before and during the answer', async () => {
    let arrived: (socket: Socket) => void = () => undefined;
    const request = new Promise<Socket>((resolve) => {
      arrived = resolve;
    });
    const { gatedFetch, seen } = await fetching((socket) => arrived(socket));
    expect(await faultOf(gatedFetch(PLAIN_URL, { signal: AbortSignal.abort() }))).toEqual(
      fault('cancelled', 'called off', false),
    );
    const caller = new AbortController();
    const asking = faultOf(gatedFetch(PLAIN_URL, { signal: caller.signal }));
    const socket = await request;
    caller.abort();
    expect(await asking).toEqual(fault('cancelled', 'called off', true));
    await new Promise((resolve) => socket.on('close', resolve));
    await expect.poll(() => seen.closed).toBe(1);
    await aTurn(); // In which the library would connect again, for nobody.
    expect(seen.dialled).toHaveLength(1);
  });
});

describe('an answer beyond its limit', () => {
  const endless: Script = (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
    const more = () => {
      while (!socket.destroyed && socket.write(`400\r\n${'x'.repeat(1_024)}\r\n`));
    };
    socket.on('drain', more);
    more();
  };
  const bomb = gzipSync(Buffer.alloc(50_000_000));
  const unpacking: Script = (socket) => {
    const fields = [
      ['Content-Encoding', 'gzip'],
      ['Content-Length', String(bomb.length)],
    ] as const;
    socket.write(httpAnswer(200, fields));
    socket.end(bomb);
  };

  it.each<[string, Script, object]>([
    ['a body that never ends', endless, TOO_LARGE],
    [
      'two hundred and one fields',
      answering(
        200,
        Array.from({ length: 201 }, (_, n) => [`x-${n}`, '1']),
      ),
      TOO_LARGE,
    ],
    ['a field of 70 kB', answering(200, [['x', 'y'.repeat(70_000)]]), BROKEN],
  ])('is refused: %s', async (_, script, expected) => {
    const { gatedFetch } = await fetching(script);
    expect(await faultOf(gatedFetch(PLAIN_URL))).toEqual(expected);
  });

  it('is refused when it only unfolds in decoding', async () => {
    expect(bomb.length).toBeLessThan(60_000);
    const { gatedFetch } = await fetching(unpacking, { maxBytes: 60_000 });
    expect(await faultOf(gatedFetch(PLAIN_URL))).toEqual(UNDECODABLE);
  });
});

describe('no answer at all', () => {
  it.each<[string, Script, object]>([
    ['no HTTP', (socket) => socket.end('220 smtp ready\r\n'), BROKEN],
    ['half a body', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'), BROKEN],
    ['an encoding nobody knows', answering(200, [['Content-Encoding', 'zstd-ish']], 'x'), UNDECODABLE],
    ['a broken gzip', answering(200, [['Content-Encoding', 'gzip']], 'no gzip'), UNDECODABLE],
    ['a status beyond HTTP', answering(999), BROKEN],
    [
      'hints without end',
      (socket) => socket.end('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(9) + httpAnswer(200, [])),
      BROKEN,
    ],
    ['another protocol', (socket) => socket.end('HTTP/1.1 101 Other\r\nUpgrade: x\r\n\r\n'), BROKEN],
  ])('is %s', async (_, script, expected) => {
    const { gatedFetch } = await fetching(script);
    expect(await faultOf(gatedFetch(PLAIN_URL))).toEqual(expected);
  });

  it('is a connection that is refused', async () => {
    const dial: GatedFetchParts['dial'] = async () => {
      throw new Error('connect ECONNREFUSED 93.184.216.34:80');
    };
    const { gatedFetch } = await fetching(answering(200), { dial });
    expect(await faultOf(gatedFetch(PLAIN_URL))).toEqual(UNREACHABLE);
  });

  it('is a request that the platform does not allow', async () => {
    const { gatedFetch, seen } = await fetching(answering(200));
    expect(await faultOf(gatedFetch(PLAIN_URL, { method: 'GET', body: '{}' }))).toEqual(
      fault('bad_request', 'this is no request that can be sent', false),
    );
    expect(seen.dialled).toEqual([]);
  });
});
