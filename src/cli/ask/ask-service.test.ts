import { describe, expect, it } from 'vitest';
import { readServer, serviceAt } from './ask-service.ts';

function ask(send: typeof fetch, stop = new AbortController().signal, timeoutSeconds = 20) {
  return serviceAt('http://assay.test', timeoutSeconds, { fetch: send, stop }).ask('/v1/tasks', {});
}

const hangs: typeof fetch = (_, init) =>
  new Promise((_resolve, reject) => {
    init?.signal?.addEventListener('abort', () => reject(new Error('aborted')));
  });

describe('asking the service', () => {
  it('sends what was given and keeps the body as it came', async () => {
    const urls: string[] = [];
    const send: typeof fetch = async (url, init) => {
      urls.push(String(url));
      expect(init?.redirect).toBe('manual');
      expect(new Headers(init?.headers).get('x-payment')).toBe('signed');
      const headers = { 'retry-after': '7', 'payment-response': 'settled' };
      return new Response('{"a": 1.10}\n', { status: 429, headers });
    };
    const service = serviceAt('http://assay.test', 20, { fetch: send, stop: new AbortController().signal });
    const parameters = { url: 'https://a.example/?b=c&d', task: null };
    expect(await service.ask('/v1/x', parameters, { 'x-payment': 'signed' })).toEqual({
      kind: 'answered',
      status: 429,
      text: '{"a": 1.10}\n',
      json: { a: 1.1 },
      retryAfterSeconds: 7,
      paymentResponse: 'settled',
    });
    expect(urls).toEqual(['http://assay.test/v1/x?url=https%3A%2F%2Fa.example%2F%3Fb%3Dc%26d']);
  });

  it.each<[why: string, send: typeof fetch, words: string]>([
    [
      'nobody is there',
      async () => {
        throw new TypeError('fetch failed', {
          cause: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }),
        });
      },
      'cannot be reached (ECONNREFUSED)',
    ],
    [
      'a fault with words of its own',
      async () => {
        throw new TypeError('\u001b[2J', { cause: Object.assign(new Error('x'), { code: '\u001b[2J' }) });
      },
      'cannot be reached',
    ],
    [
      'somebody else is there',
      async () => new Response('<!doctype html>'),
      'does not answer in JSON; is it an Assay service?',
    ],
    [
      'it leads elsewhere',
      async () => new Response(null, { status: 302, headers: { location: 'http://10.0.0.1/' } }),
      'redirects elsewhere; pass its final address with --server',
    ],
    [
      'it never ends',
      async () =>
        new Response(
          new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(1_048_576).fill(32)) }),
        ),
      'sent an answer that is too large',
    ],
  ])('%s', async (_, send, why) => {
    expect(await ask(send)).toMatchObject({ kind: 'unreachable', why });
  });

  it('waits for so long and no longer', async () => {
    expect(await ask(hangs, new AbortController().signal, 0.01)).toEqual({
      kind: 'unreachable',
      why: 'did not answer within 0.01 s',
    });
  });

  it('ends with the person who asked', async () => {
    const controller = new AbortController();
    const asked = ask(hangs, controller.signal);
    controller.abort();
    expect(await asked).toEqual({ kind: 'stopped' });
  });
});

it.each<[string, string | null]>([
  ['http://127.0.0.1:4402', 'http://127.0.0.1:4402'],
  ['https://Assay.example.com/', 'https://assay.example.com'],
  ['assay.example.com', 'https://assay.example.com'],
  ['localhost:4402', 'http://localhost:4402'],
  ['https://assay.example.com/v1', null],
  ['https://user:secret@assay.example.com', null],
  ['ftp://assay.example.com', null],
  ['', null],
])('the address %s', (text, server) => {
  expect(readServer(text)).toBe(server);
});
