import { describe, expect, it } from 'vitest';
import { certificate, httpAnswer, type Script } from '../../../test/support/probing/fake-seller.ts';
import {
  answering,
  PUBLIC_ADDRESS,
  probing,
  TERMS,
  USER_AGENT,
} from '../../../test/support/probing/probing.ts';
import { NO_OPT_OUTS } from '../../core/url/opt-outs.ts';
import type { ProberParts } from './create-prober.ts';

const SECURE = { authorities: [certificate('ca')] };

describe('what is sent', () => {
  it('is one GET and nothing of the caller', async () => {
    const { probe, requests } = await probing(answering(402));
    await probe('http://seller.example.net:8080/v1/x?b=2&a=1#part');
    expect(requests).toEqual([
      [
        'GET /v1/x?b=2&a=1 HTTP/1.1',
        'host: seller.example.net:8080',
        'connection: close',
        `user-agent: ${USER_AGENT}`,
        'accept: application/json, */*;q=0.1',
        'accept-encoding: identity',
        '',
        '',
      ].join('\r\n'),
    ]);
  });

  it('is one POST with an empty object', async () => {
    const { probe, requests } = await probing(answering(402));
    await probe('http://seller.example.net/x', 'POST');
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatch(
      /^POST \/x HTTP\/1\.1\r\n[\s\S]*content-type: application\/json\r\n[\s\S]*\r\n\r\n\{\}$/,
    );
  });
});

describe('redirects (G45)', () => {
  const hops = (...locations: string[]): Script => {
    const left = [...locations];
    return (socket) => {
      const location = left.shift();
      socket.end(
        location === undefined ? httpAnswer(402, [TERMS]) : httpAnswer(307, [['Location', location]]),
      );
    };
  };

  it('within the host are followed, twice at most, with the request repeated and the name asked once', async () => {
    const { probe, requests, asked } = await probing(hops('/b', '/c'));
    expect(await probe('http://seller.example.net/a', 'POST')).toMatchObject({ status: 402 });
    expect(requests.map((request) => request.split(' ')[1])).toEqual(['/a', '/b', '/c']);
    expect(requests.every((request) => request.endsWith('\r\n\r\n{}'))).toBe(true);
    expect(asked).toEqual(['seller.example.net']);
  });

  it('go to the address that was meant when it is written in UTF-8', async () => {
    const { probe, requests } = await probing(hops('/caf\u00e9'));
    await probe('http://seller.example.net/a');
    expect(requests.map((request) => request.split(' ')[1])).toEqual(['/a', '/caf%C3%A9']);
  });

  it.each<[string, string[], number]>([
    ['a third hop', ['/b', '/c', '/d'], 3],
    ['another host', ['http://other.example.net/'], 1],
    ['a metadata server', ['http://169.254.169.254/'], 1],
  ])('to %s are not', async (_, locations, requestCount) => {
    const { probe, requests, dialled } = await probing(hops(...locations));
    expect(await probe('http://seller.example.net/a')).toMatchObject({ kind: 'answered', status: 307 });
    expect(requests).toHaveLength(requestCount);
    expect(new Set(dialled)).toEqual(new Set([PUBLIC_ADDRESS]));
  });
});

describe('where it connects', () => {
  it('asks the name once, and a resolver that changes its mind is not heard', async () => {
    let questions = 0;
    const resolve: ProberParts['resolve'] = async () => {
      questions += 1;
      return { kind: 'addresses', addresses: [questions === 1 ? PUBLIC_ADDRESS : '127.0.0.1'] };
    };
    const { probe, dialled } = await probing(answering(302, [['Location', '/again']]), { resolve });
    await probe('http://seller.example.net/');
    expect(questions).toBe(1);
    expect(new Set(dialled)).toEqual(new Set([PUBLIC_ADDRESS]));
  });

  it('tries the next address when one refuses', async () => {
    const tried: string[] = [];
    const dial: ProberParts['dial'] = async ({ address }) => {
      tried.push(address);
      throw new Error('refused');
    };
    const resolve: ProberParts['resolve'] = async () => ({
      kind: 'addresses',
      addresses: ['1.1.1.1', '1.0.0.1', '8.8.8.8', '8.8.4.4'],
    });
    const { probe } = await probing(answering(402), { dial, resolve });
    expect(await probe('http://seller.example.net/')).toEqual({
      kind: 'unreachable',
      cause: 'connection_failed',
    });
    expect(tried).toEqual(['1.1.1.1', '1.0.0.1']);
  });

  it('gives up on an address that keeps silent', async () => {
    const dial: ProberParts['dial'] = () => new Promise(() => undefined);
    const { probe } = await probing(answering(402), { dial, timeoutMs: 100 });
    expect(await probe('http://seller.example.net/')).toEqual({ kind: 'timed_out' });
  });

  it.each<[string, Awaited<ReturnType<ProberParts['resolve']>>, object]>([
    ['no such name', { kind: 'not_found' }, { kind: 'unreachable', cause: 'name_not_found' }],
    ['a resolver that fails', { kind: 'failed' }, { kind: 'unreachable', cause: 'name_lookup_failed' }],
    ['a private address', { kind: 'addresses', addresses: ['10.0.0.1'] }, { kind: 'blocked' }],
    [
      'a private address among public ones',
      { kind: 'addresses', addresses: [PUBLIC_ADDRESS, '::1'] },
      { kind: 'blocked' },
    ],
    ['no address', { kind: 'addresses', addresses: [] }, { kind: 'blocked' }],
  ])('not at all with %s', async (_, resolution, expected) => {
    const { probe, dialled } = await probing(answering(402), { resolve: async () => resolution });
    expect(await probe('http://seller.example.net/')).toEqual(expected);
    expect(dialled).toEqual([]);
  });

  it.each<[string, ProberParts['resolve']]>([
    ['rejects', () => Promise.reject(new Error('out of order'))],
    [
      'throws',
      () => {
        throw new Error('out of order');
      },
    ],
  ])('not at all when the resolver itself %s', async (_, resolve) => {
    const { probe } = await probing(answering(402), { resolve });
    expect(await probe('http://seller.example.net/')).toEqual({
      kind: 'unreachable',
      cause: 'name_lookup_failed',
    });
  });

  it('needs no name for an address, and checks it all the same', async () => {
    const { probe, asked, dialled } = await probing(answering(402));
    expect(await probe('http://[2606:4700:4700::1111]/')).toMatchObject({ kind: 'answered' });
    expect(await probe('http://[::ffff:127.0.0.1]/')).toEqual({ kind: 'blocked' });
    expect([asked, dialled]).toEqual([[], ['2606:4700:4700::1111']]);
  });
});

describe('a policy that opens one place', () => {
  it('holds on a hop to another port', async () => {
    const { asked, dialled, probe } = await probing(
      answering(301, [['Location', 'https://seller.example.net/']]),
      {
        policy: {
          addresses: (_address, port) => (port === 80 ? 'public' : 'loopback'),
          names: () => true,
          ports: () => true,
          ownHosts: new Set(),
          optOuts: NO_OPT_OUTS,
        },
      },
    );
    expect(await probe('http://seller.example.net/')).toEqual({ kind: 'blocked' });
    expect([asked.length, dialled.length]).toEqual([1, 1]);
  });
});

describe('TLS', () => {
  it('is verified for the name', async () => {
    const { probe } = await probing(answering(402, [TERMS]), SECURE, 'seller');
    expect(await probe('https://seller.example.net/')).toMatchObject({ kind: 'answered', status: 402 });
  });

  it.each<['self-signed' | 'other-host' | 'expired']>([['self-signed'], ['other-host'], ['expired']])(
    'refuses a certificate that is %s',
    async (cert) => {
      const { probe, requests } = await probing(answering(402, [TERMS]), SECURE, cert);
      expect(await probe('https://seller.example.net/')).toEqual({
        kind: 'unreachable',
        cause: 'tls_failed',
      });
      expect(requests).toEqual([]);
    },
  );

  it('does not trust our own authority without being told', async () => {
    const { probe } = await probing(answering(402, [TERMS]), {}, 'seller');
    expect(await probe('https://seller.example.net/')).toEqual({ kind: 'unreachable', cause: 'tls_failed' });
  });
});
