import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RawAnswer, sendRaw, sendRawAndHangUp } from '../support/running/raw-http.ts';
import { freshAddress, startService, type TestService } from '../support/running/running-service.ts';

const SPOT_CHECK = '/v1/products/endpoint-spot-check';
const HOST = 'Host: assay.example.org\r\n';
const CLOSE = 'Connection: close\r\n';
/** A caller of its own, so that quotas do not meet. */
const from = () => `X-Forwarded-For: ${freshAddress()}\r\n`;

describe('bytes that no library would send', () => {
  let service: TestService;
  const send = (...pieces: string[]) => sendRaw(service.address ?? '', ...pieces);
  const post = (fields: string, body: string) =>
    send(
      `POST ${SPOT_CHECK} HTTP/1.1\r\n${HOST}${CLOSE}${from()}Content-Type: application/json\r\n${fields}\r\n${body}`,
    );

  beforeAll(async () => {
    service = await startService({ door: 'socket' });
  });
  afterAll(async () => {
    expect(service.faults).toEqual([]);
    expect(service.answered.filter(({ status }) => status >= 500)).toEqual([]);
    await service.close();
  });

  describe('431: more than 32 kB of header fields', () => {
    it.each([
      ['one long field', `GET /v1/tasks HTTP/1.1\r\n${HOST}X-Long: ${'x'.repeat(32_768)}\r\n\r\n`],
      ['many short ones', `GET /v1/tasks HTTP/1.1\r\n${HOST}${'a: b\r\n'.repeat(20_000)}\r\n`],
      [
        '1,000 cookies',
        `GET /v1/tasks HTTP/1.1\r\n${HOST}${`Cookie: ${'c'.repeat(40)}\r\n`.repeat(1_000)}\r\n`,
      ],
      ['a long URL', `GET /v1/tasks?${'x'.repeat(100_000)} HTTP/1.1\r\n${HOST}\r\n`],
    ])('%s', async (_, request) => {
      expectProblem(await send(request), 431, 'headers_too_large');
    });
  });

  it('a payment header of 16 kB still fits', async () => {
    const [answer] = await send(
      `GET /v1/lookup?task=weather HTTP/1.1\r\n${HOST}${CLOSE}PAYMENT-SIGNATURE: ${'A'.repeat(16_384)}\r\n\r\n`,
    );
    expect(answer?.status).toBe(200);
  });

  describe('400: no request that can be read', () => {
    it.each([
      ['noise', 'asdf\r\n\r\n'],
      ['binary', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
      ['another protocol', `GET / SPDY/3\r\n${HOST}\r\n`],
      ['a version of HTTP that does not exist', `GET /v1/tasks HTTP/9.9\r\n${HOST}\r\n`],
      ['an unknown method', `FETCH /v1/tasks HTTP/1.1\r\n${HOST}\r\n`],
      ['a method in lower case', `get /v1/tasks HTTP/1.1\r\n${HOST}\r\n`],
      ['a blank in the path', `GET /v1/ta sks HTTP/1.1\r\n${HOST}\r\n`],
      ['a backslash in the path', `GET /v1\\tasks HTTP/1.1\r\n${HOST}${CLOSE}\r\n`],
      ['a field without a colon', `GET /v1/tasks HTTP/1.1\r\n${HOST}nonsense\r\n\r\n`],
      ['a NUL in a field', `GET /v1/tasks HTTP/1.1\r\n${HOST}X: a\0b\r\n\r\n`],
      ['a line that breaks inside of a field', `GET /v1/tasks HTTP/1.1\r\n${HOST}X: a\nY: b\r\n\r\n`],
      [
        'two lengths that differ',
        `POST ${SPOT_CHECK} HTTP/1.1\r\n${HOST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
      ],
      ['a length below zero', `POST ${SPOT_CHECK} HTTP/1.1\r\n${HOST}Content-Length: -1\r\n\r\n{}`],
      [
        'a length and chunks',
        `POST ${SPOT_CHECK} HTTP/1.1\r\n${HOST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      ],
      [
        'an encoding nobody knows',
        `POST ${SPOT_CHECK} HTTP/1.1\r\n${HOST}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
      ],
      [
        'chunks that are not last',
        `POST ${SPOT_CHECK} HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`,
      ],
      ['no Host', `GET /v1/tasks HTTP/1.1\r\n${CLOSE}\r\n`],
      ['no Host in HTTP/1.0', 'GET /v1/tasks HTTP/1.0\r\n\r\n'],
      ['a second Host', `GET /v1/tasks HTTP/1.1\r\n${HOST}Host: assay.example.org\r\n${CLOSE}\r\n`],
      ['an empty Host', `GET /v1/tasks HTTP/1.1\r\nHost:\r\n${CLOSE}\r\n`],
      ['a Host with a blank', `GET /v1/tasks HTTP/1.1\r\nHost: a b\r\n${CLOSE}\r\n`],
      ['a Host with a path', `GET /v1/tasks HTTP/1.1\r\nHost: a.example/b\r\n${CLOSE}\r\n`],
      ['a Host with a user', `GET /v1/tasks HTTP/1.1\r\nHost: user@a.example\r\n${CLOSE}\r\n`],
      ['a Host with half a bracket', `GET /v1/tasks HTTP/1.1\r\nHost: [::1\r\n${CLOSE}\r\n`],
      ['a Host with a port that is none', `GET /v1/tasks HTTP/1.1\r\nHost: a.example:99999\r\n${CLOSE}\r\n`],
      ['a target that is no path', `GET v1/tasks HTTP/1.1\r\n${HOST}${CLOSE}\r\n`],
      ['a whole URL that is none', `GET http://[ HTTP/1.1\r\n${HOST}${CLOSE}\r\n`],
    ])('%s', async (_, request) => {
      expectProblem(await send(request), 400, 'bad_request');
    });
  });

  describe('bodies of the spot-check', () => {
    const chunk = (size: number) => `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`;

    it.each([
      ['16,385 bytes by their length', 'Content-Length: 16385\r\n', 'x'.repeat(16_385)],
      ['a gigabyte that is announced and never comes', 'Content-Length: 1000000000\r\n', ''],
      [
        'a gigabyte that a caller asks leave to send',
        'Content-Length: 1000000000\r\nExpect: 100-continue\r\n',
        '',
      ],
      ['chunks beyond 16 kB', 'Transfer-Encoding: chunked\r\n', `${chunk(8_192).repeat(3)}0\r\n\r\n`],
      ['chunks without an end', 'Transfer-Encoding: chunked\r\n', chunk(8_192).repeat(140)],
    ])('413: %s', async (_, fields, body) => {
      const answers = (await post(fields, body)).filter(({ status }) => status !== 100);
      expectProblem(answers, 413, 'body_too_large');
    });

    it('16,384 bytes are read', async () => {
      const start = '{"url":"http://seller.example/honest","x":"';
      const body = `${start}${'x'.repeat(16_384 - start.length - 2)}"}`;
      const [answer] = await post('Content-Length: 16384\r\n', body);
      expect(answer?.status).toBe(200);
    });

    it('small chunks are put together', async () => {
      const body = [...'{"url":"http://seller.example/honest"}']
        .map((letter) => `1\r\n${letter}\r\n`)
        .join('');
      const [answer] = await post('Transfer-Encoding: chunked\r\n', `${body}0\r\n\r\n`);
      expect([answer?.status, JSON.parse(answer?.body ?? '').verdict]).toEqual([200, 'pay']);
    });

    it('Expect: 100-continue gets leave and then an answer', async () => {
      const body = '{"url":"http://seller.example/honest"}';
      const answers = await post(`Content-Length: ${body.length}\r\nExpect: 100-continue\r\n`, body);
      expect(answers.map(({ status }) => status)).toEqual([100, 200]);
    });

    it('400: chunks that are no chunks', async () => {
      const answers = await post('Transfer-Encoding: chunked\r\n', 'zz\r\n{}\r\n0\r\n\r\n');
      expect(answers.at(-1)?.status).toBe(400);
    });

    it('a body shorter than its length, from a caller that hangs up: no fault of ours', async () => {
      const request = `POST ${SPOT_CHECK} HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"url"`;
      const answers = await sendRawAndHangUp(service.address ?? '', request);
      expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    });

    it('a body longer than its length: the rest is no request', async () => {
      const answers = await send(
        `POST ${SPOT_CHECK} HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}{"url":"http://seller.example/honest"}`,
      );
      expect(answers.at(-1)?.status).toBe(400);
      expect(answers.map(({ status }) => status).filter((status) => status !== 400)).toEqual([]);
    });

    it('a body that nobody asked for is left unread', async () => {
      const [answer] = await send(`GET /v1/tasks HTTP/1.1\r\n${HOST}${CLOSE}Content-Length: 2\r\n\r\n{}`);
      expect(answer?.status).toBe(200);
      const [put] = await send(
        `PUT /v1/tasks HTTP/1.1\r\n${HOST}${CLOSE}Content-Length: 100000\r\n\r\n${'x'.repeat(100_000)}`,
      );
      expect(put?.status).toBe(405);
    });
  });

  describe('ways of asking that are allowed', () => {
    it.each([
      ['HTTP/1.0', `GET /v1/tasks HTTP/1.0\r\n${HOST}\r\n`, 200],
      [
        'a whole URL as the target',
        `GET http://assay.example.org/v1/tasks HTTP/1.1\r\n${HOST}${CLOSE}\r\n`,
        200,
      ],
      [
        'the whole URL of a stranger, which is not fetched',
        `GET http://seller.example/v1/tasks HTTP/1.1\r\n${HOST}${CLOSE}\r\n`,
        200,
      ],
      [
        'a wish to upgrade',
        `GET /v1/tasks HTTP/1.1\r\n${HOST}Connection: close, Upgrade\r\nUpgrade: websocket\r\n\r\n`,
        200,
      ],
      ['TRACE', `TRACE /v1/tasks HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 405],
      ['a method of file servers', `UNLOCK /v1/tasks HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 405],
      ['an empty line before the request', `\r\n\r\nGET /v1/tasks HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 200],
      ['IPv6 as Host', `GET /v1/tasks HTTP/1.1\r\nHost: [::1]:4402\r\n${CLOSE}\r\n`, 200],
    ])('%s', async (_, request, status) => {
      const answers = await send(request);
      expect(answers.map((answer) => answer.status)).toEqual([status]);
      expect(service.sellerRequests.filter((text) => text.includes('/v1/tasks'))).toEqual([]);
    });

    it('CONNECT makes no tunnel', async () => {
      const answers = await send(`CONNECT seller.example:80 HTTP/1.1\r\n${HOST}\r\n`);
      expect(answers.filter(({ status }) => status < 400)).toEqual([]);
    });

    it('a foreign URL as the target changes no link', async () => {
      const [answer] = await send(
        `GET http://evil.example/nothing HTTP/1.1\r\nHost: evil.example\r\n${CLOSE}\r\n`,
      );
      expect(JSON.parse(answer?.body ?? '').type).toBe('https://assay.example.org/problems#not_found');
    });

    it('requests in a row are answered in their order', async () => {
      const paths = ['/v1/tasks', `${SPOT_CHECK}?url=http://seller.example/honest`, '/healthz', '/nothing'];
      const requests = paths.map(
        (path, n) => `GET ${path} HTTP/1.1\r\n${HOST}${from()}${n === 3 ? CLOSE : ''}\r\n`,
      );
      const answers = await send(requests.join(''));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 404]);
      expect(answers.map(({ body }) => Object.keys(JSON.parse(body))[0])).toEqual([
        'weather',
        'verdict',
        'ok',
        'type',
      ]);
    });

    it.each([
      ['is answered at once', '/v1/tasks'],
      ['takes its time', `${SPOT_CHECK}?url=http://seller.example/honest?noise`],
    ])('noise behind a request that %s spoils no answer before it', async (_, path) => {
      const answers = await send(`GET ${path} HTTP/1.1\r\n${HOST}${from()}\r\nnoise\r\n\r\n`);
      expect(answers.map(({ status }) => status)).toEqual([200, 400]);
    });
  });
});

function expectProblem(answers: readonly RawAnswer[], status: number, code: string): void {
  expect(answers.map((answer) => answer.status)).toEqual([status]);
  const [{ fields, body } = { fields: new Map<string, string>(), body: '{}' }] = answers;
  expect(fields.get('content-type')).toBe('application/problem+json; charset=utf-8');
  expect(fields.get('access-control-allow-origin')).toBe('*');
  expect(JSON.parse(body)).toMatchObject({ status, code, instance: fields.get('x-request-id') });
  expect(body).not.toMatch(/HPE_|ERR_|node|parse/i);
}
