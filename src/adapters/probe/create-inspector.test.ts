import { describe, expect, it } from 'vitest';
import { httpAnswer, type Script } from '../../../test/support/probing/fake-seller.ts';
import { aSeller, gateTo } from '../../../test/support/probing/gated-fetching.ts';
import { answering, IMPATIENT_MS, USER_AGENT } from '../../../test/support/probing/probing.ts';
import { target } from '../../../tools/samples/listed.ts';
import type { Inspection } from '../../core/lint/seen.ts';
import { createInspector } from './create-inspector.ts';
import type { GatedFetchParts } from './gated-fetch.ts';

const TARGET = target('http://seller.example.net/v1/x?a=1');

async function inspecting(script: Script, changes: Partial<GatedFetchParts> = {}) {
  const { port, requests } = await aSeller(script);
  const { parts, seen } = gateTo(port, changes);
  return { inspect: createInspector(parts), requests, seen };
}

const COMMON = [
  'host: seller.example.net',
  'connection: keep-alive',
  `user-agent: ${USER_AGENT}`,
  'accept: application/json, */*;q=0.1',
  'accept-encoding: identity',
];

describe('the requests of a lint', () => {
  it.each<[string, Inspection, readonly string[]]>([
    [
      'a page',
      { kind: 'browser', target: TARGET, method: 'GET', body: '{}' },
      ['GET /v1/x?a=1 HTTP/1.1', ...COMMON, 'origin: https://page.example', '', ''],
    ],
    [
      'a page that posts',
      { kind: 'browser', target: TARGET, method: 'POST', body: '{"a":1}' },
      [
        ...['POST /v1/x?a=1 HTTP/1.1', ...COMMON],
        ...[
          'content-type: application/json',
          'origin: https://page.example',
          'content-length: 7',
          '',
          '{"a":1}',
        ],
      ],
    ],
    [
      'what a browser asks first',
      { kind: 'preflight', target: TARGET, method: 'POST' },
      [
        ...['OPTIONS /v1/x?a=1 HTTP/1.1', ...COMMON],
        'access-control-request-headers: access-control-expose-headers,content-type,payment-signature,x-payment',
        ...['access-control-request-method: POST', 'origin: https://page.example', '', ''],
      ],
    ],
    [
      'HEAD',
      { kind: 'head', target: TARGET },
      ['HEAD /v1/x?a=1 HTTP/1.1', ...COMMON.map((line) => line.replace('keep-alive', 'close')), '', ''],
    ],
    [
      'a document of the origin',
      { kind: 'document', target: TARGET, path: '/openapi.json' },
      ['GET /openapi.json HTTP/1.1', ...COMMON, '', ''],
    ],
  ])('%s', async (_, inspection, lines) => {
    const { inspect, requests } = await inspecting(answering(204, [['X-A', 'b']]));
    expect(await inspect(inspection)).toMatchObject({ kind: 'answered', status: 204, body: '' });
    expect(requests).toEqual([lines.join('\r\n')]);
  });

  it('have a connection each, so that one that ends is no missing answer', async () => {
    const { inspect, seen } = await inspecting((socket) => void socket.write(httpAnswer(200, [], '{}')));
    for (let asked = 0; asked < 3; asked += 1) {
      const look = await inspect({ kind: 'document', target: TARGET, path: '/.well-known/x402' });
      expect(look).toMatchObject({ kind: 'answered', status: 200, body: '{}' });
    }
    expect(seen.dialled).toHaveLength(3);
  });

  it.each<[string, Script, Partial<GatedFetchParts>, string]>([
    ['a redirect, which is not followed', answering(301, [['Location', '/elsewhere']]), {}, 'redirected'],
    ['more than a megabyte', answering(200, [], 'x'.repeat(1_048_577)), {}, 'too_large'],
    ['silence', () => {}, { timeoutMs: IMPATIENT_MS }, 'no_answer'],
    ['a closed door', (socket) => void socket.destroy(), {}, 'no_answer'],
    ['nonsense', (socket) => void socket.end('nonsense'), {}, 'no_answer'],
  ])('end well: %s', async (_, script, changes, fault) => {
    const { inspect } = await inspecting(script, changes);
    const document: Inspection = { kind: 'document', target: TARGET, path: '/openapi.json' };
    expect(await inspect(document)).toEqual({ kind: 'failed', fault });
  });

  it('do not pass the gate', async () => {
    const resolve = async () => ({ kind: 'addresses', addresses: ['127.0.0.1'] }) as const;
    const { inspect, requests } = await inspecting(answering(200), { resolve });
    expect(await inspect({ kind: 'head', target: TARGET })).toEqual({ kind: 'failed', fault: 'no_answer' });
    const local = target('http://127.0.0.1/');
    expect(await inspect({ kind: 'preflight', target: local, method: 'GET' })).toMatchObject({
      kind: 'failed',
    });
    expect(requests).toEqual([]);
  });
});
