import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRawAndHangUp } from '../support/running/raw-http.ts';
import { freshAddress, startService, type TestService } from '../support/running/running-service.ts';

const SPOT_CHECK = '/v1/products/endpoint-spot-check';
const HONEST = 'http://seller.example/honest';
/** A caller of its own, so that quotas do not meet. */
const head = (request: string) =>
  `${request} HTTP/1.1\r\nHost: assay.example.org\r\nX-Forwarded-For: ${freshAddress()}\r\n`;
const post = (path: string, body: string) =>
  `${head(`POST ${path}`)}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

describe('a caller that closes its own side once the request is sent', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService({ door: 'socket' });
  });
  afterAll(async () => {
    expect(service.faults).toEqual([]);
    await service.close();
  });

  it.each([
    ['a page', `${head('GET /v1/skips')}\r\n`],
    ['a free lookup', `${head('GET /v1/lookup?task=weather')}\r\n`],
    ['a free check', `${head(`GET ${SPOT_CHECK}?url=${HONEST}`)}\r\n`],
    ['a check with a body', post(SPOT_CHECK, JSON.stringify({ url: HONEST }))],
    ['a message of MCP', post('/mcp', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }))],
    ['several requests', `${head('GET /v1/tasks')}\r\n${head(`GET ${SPOT_CHECK}?url=${HONEST}`)}\r\n`],
  ])('gets its answer, and the connection ends: %s', async (_, bytes) => {
    const answers = await sendRawAndHangUp(service.address ?? '', bytes);
    expect(answers.map(({ status }) => status)).toEqual(
      [...bytes.matchAll(/HTTP\/1\.1\r\n/g)].map(() => 200),
    );
  });
});
