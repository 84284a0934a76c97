import type { Socket } from 'node:net';
import { setImmediate as aTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { httpAnswer, type Script } from '../../../test/support/probing/fake-seller.ts';
import {
  BLOCKED,
  BROKEN,
  faultOf,
  fetching,
  MAX_BYTES,
  NO_REQUEST,
  TOO_LARGE,
  UNREACHABLE,
} from '../../../test/support/probing/gated-fetching.ts';
import { answering, PUBLIC_ADDRESS, USER_AGENT } from '../../../test/support/probing/probing.ts';
import type { GatedFetchParts } from './gated-fetch.ts';

const URL_OF_SELLER = 'http://seller.example.net/v1/x?a=1';

describe('what is sent', () => {
  it('is the request with its headers, under our own name', async () => {
    const { gatedFetch, requests } = await fetching(answering(200));
    await gatedFetch(URL_OF_SELLER, {
      headers: { 'PAYMENT-SIGNATURE': 'signed', 'User-Agent': 'Mozilla', Host: 'other', Connection: 'close' },
    });
    expect(requests).toEqual([
      [
        'GET /v1/x?a=1 HTTP/1.1',
        'host: seller.example.net',
        'connection: keep-alive',
        `user-agent: ${USER_AGENT}`,
        'accept: application/json, */*;q=0.1',
        'accept-encoding: identity',
        'payment-signature: signed',
        '',
        '',
      ].join('\r\n'),
    ]);
  });

  it('is the body of a POST, from a Request of the platform and from its clone', async () => {
    const { gatedFetch, requests } = await fetching(answering(200));
    const headers = { 'content-type': 'application/json' };
    const request = new Request(URL_OF_SELLER, { method: 'POST', body: '{"location":"Zürich"}', headers });
    const clone = request.clone();
    clone.headers.set('PAYMENT-SIGNATURE', 'signed');
    await gatedFetch(request);
    await gatedFetch(clone);
    expect(requests.map((text) => text.includes('payment-signature: signed'))).toEqual([false, true]);
    for (const text of requests) {
      expect(text).toMatch(/^POST \/v1\/x\?a=1 HTTP\/1\.1\r\n[\s\S]*content-type: application\/json\r\n/);
      expect(text.split('\r\n\r\n')[1]).toBe(Buffer.from('{"location":"Zürich"}').toString('latin1'));
    }
  });

  it('goes out once, also when the seller hangs up without an answer', async () => {
    const { gatedFetch, requests } = await fetching((socket) => socket.destroy());
    expect(await faultOf(gatedFetch(URL_OF_SELLER, { method: 'POST', body: '{}' }))).toEqual(BROKEN);
    expect(requests).toHaveLength(1);
  });
});

describe('what comes back', () => {
  it('is a Response of the platform', async () => {
    const { gatedFetch } = await fetching(answering(402, [['PAYMENT-REQUIRED', 'terms']], '{"a":1}'));
    const response = await gatedFetch(new URL(URL_OF_SELLER));
    expect(response).toBeInstanceOf(Response);
    expect([response.status, response.ok, response.headers.get('payment-required')]).toEqual([
      402,
      false,
      'terms',
    ]);
    expect(response.body).toBeInstanceOf(ReadableStream);
    expect(await response.clone().text()).toBe('{"a":1}');
    expect((await response.clone().arrayBuffer()).byteLength).toBe(7);
    expect(await response.json()).toEqual({ a: 1 });
  });

  it('has no body when there is none', async () => {
    const { gatedFetch } = await fetching(answering(204));
    expect(await gatedFetch(URL_OF_SELLER)).toMatchObject({ status: 204, ok: true, body: null });
  });

  it('is decoded when the seller encodes it all the same', async () => {
    const { gatedFetch } = await fetching(zipped(Buffer.from('{"a":1}')));
    const response = await gatedFetch(URL_OF_SELLER);
    expect(await response.json()).toEqual({ a: 1 });
    expect(response.headers.get('content-encoding')).toBeNull();
  });

  it('may be as large as the limit, and no byte larger', async () => {
    const { gatedFetch } = await fetching((socket, request) =>
      socket.end(
        httpAnswer(200, [], 'x'.repeat(request.startsWith('GET /fits') ? MAX_BYTES : MAX_BYTES + 1)),
      ),
    );
    const fits = await gatedFetch('http://seller.example.net/fits');
    expect((await fits.text()).length).toBe(MAX_BYTES);
    expect(await faultOf(gatedFetch('http://seller.example.net/one-more'))).toEqual(TOO_LARGE);
  });
});

describe('where it connects', () => {
  it.each<[string, string, object]>([
    ['a private address', 'http://10.0.0.1/', BLOCKED],
    ['loopback in disguise', 'http://0x7f.1/', BLOCKED],
    ['loopback in IPv6', 'http://[::ffff:127.0.0.1]/', BLOCKED],
    ['the metadata server', 'http://169.254.169.254/latest/', BLOCKED],
    ['an internal name', 'http://printer.local/', BLOCKED],
    ['ourselves', 'https://assay.example.org/v1/lookup', BLOCKED],
    ['a port of another trade', 'http://seller.example.net:22/', BLOCKED],
    ['a password', 'http://user:pass@seller.example.net/', NO_REQUEST],
    ['a file', 'file:///etc/passwd', NO_REQUEST],
    ['a line break', 'http://seller.example.net/\n', NO_REQUEST],
    ['nothing', '', NO_REQUEST],
  ])('not at all for %s, and no name is asked', async (_, url, expected) => {
    const { gatedFetch, seen } = await fetching(answering(200));
    expect(await faultOf(gatedFetch(url))).toEqual(expected);
    expect([seen.asked, seen.dialled]).toEqual([[], []]);
  });

  it.each<[string, Awaited<ReturnType<GatedFetchParts['resolve']>> | 'throws', object]>([
    ['a name of a private address', { kind: 'addresses', addresses: ['192.168.1.1'] }, BLOCKED],
    ['one private among public', { kind: 'addresses', addresses: [PUBLIC_ADDRESS, '::1'] }, BLOCKED],
    ['a name that does not exist', { kind: 'not_found' }, UNREACHABLE],
    ['a resolver that fails', { kind: 'failed' }, UNREACHABLE],
    ['a resolver that breaks', 'throws', UNREACHABLE],
  ])('not at all for %s', async (_, resolution, expected) => {
    const resolve: GatedFetchParts['resolve'] = async () => {
      if (resolution === 'throws') throw new Error('getaddrinfo ENOTFOUND 10.1.2.3');
      return resolution;
    };
    const { gatedFetch, seen } = await fetching(answering(200), { resolve });
    expect(await faultOf(gatedFetch(URL_OF_SELLER))).toEqual(expected);
    expect(seen.dialled).toEqual([]);
  });

  /** Public at the first question, private at every later one. */
  function rebinding(): GatedFetchParts['resolve'] {
    let questions = 0;
    return async () => {
      questions += 1;
      return { kind: 'addresses', addresses: [questions === 1 ? PUBLIC_ADDRESS : '127.0.0.1'] };
    };
  }

  it('to the address that was checked, and a connection that is kept stays with it', async () => {
    const keeping: Script = (socket) => socket.write(httpAnswer(200, [], 'ok'));
    const { gatedFetch, seen, requests } = await fetching(keeping, { resolve: rebinding() });
    expect(await (await gatedFetch(URL_OF_SELLER)).text()).toBe('ok');
    await aTurn(); // A connection is free again in the turn after its answer.
    expect(await (await gatedFetch(URL_OF_SELLER)).text()).toBe('ok');
    expect(requests).toHaveLength(2);
    expect([seen.asked, seen.dialled]).toEqual([['seller.example.net'], [PUBLIC_ADDRESS]]);
  });

  it('asks and checks again for a new connection', async () => {
    const closing = answering(200, [['Connection', 'close']], 'ok');
    const { gatedFetch, seen, requests } = await fetching(closing, { resolve: rebinding() });
    expect(await (await gatedFetch(URL_OF_SELLER)).text()).toBe('ok');
    expect(await faultOf(gatedFetch(URL_OF_SELLER))).toEqual(BLOCKED);
    expect([requests.length, seen.dialled]).toEqual([1, [PUBLIC_ADDRESS]]);
  });

  it('at most four times to one host', async () => {
    const waiting: Socket[] = [];
    const script: Script = (socket) => {
      waiting.push(socket);
      // The first four are let wait for each other; those behind them come when these are done.
      if (waiting.length >= 4) for (const one of waiting.splice(0)) one.write(httpAnswer(200, [], 'ok'));
    };
    const { gatedFetch, seen } = await fetching(script);
    const answers = await Promise.all(Array.from({ length: 8 }, () => gatedFetch(URL_OF_SELLER)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(seen.mostOpen).toBe(4);
  });
});

function zipped(body: Buffer): Script {
  const packed = gzipSync(body);
  return (socket) => {
    socket.write(
      httpAnswer(200, [
        ['Content-Encoding', 'gzip'],
        ['Content-Length', String(packed.length)],
      ]),
    );
    socket.end(packed);
  };
}
