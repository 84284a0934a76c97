import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRaw } from '../support/running/raw-http.ts';
import { startService, type TestService } from '../support/running/running-service.ts';

const SPOT_CHECK = '/v1/products/endpoint-spot-check';

/** Ways to write a path that a router might let through where a meter does not look. */
const SPELLINGS: readonly [why: string, spell: (path: string) => string][] = [
  ['two slashes in front', (path) => `/${path}`],
  ['two slashes inside', (path) => path.replace('/v1/', '/v1//')],
  ['a slash behind', (path) => `${path}/`],
  ['two slashes behind', (path) => `${path}//`],
  ['upper case', (path) => path.replace('v1', 'V1')],
  ['a parameter of the path', (path) => `${path};x=1`],
  ['a parameter inside of the path', (path) => path.replace('/v1', '/v1;x=1')],
  ['a dot segment', (path) => path.replace('/v1/', '/v1/./')],
  ['a way down and up', (path) => path.replace('/v1/', '/v1/x/../')],
  ['an encoded dot segment', (path) => path.replace('/v1/', '/v1/%2e/')],
  ['an encoded way up', (path) => path.replace('/v1/', '/v1/x/%2e%2e/')],
  ['an encoded letter', (path) => path.replace('v1', '%761')],
  ['a letter that is encoded twice', (path) => path.replace('v1', '%25761')],
  ['an encoded slash', (path) => path.replace('/v1/', '/v1%2f')],
  ['an encoded slash behind', (path) => `${path}%2f`],
  ['an encoded NUL behind', (path) => `${path}%00`],
  ['an encoded blank behind', (path) => `${path}%20`],
  ['an encoded line break behind', (path) => `${path}%0a`],
  ['an encoded question mark', (path) => `${path}%3f`],
  ['broken encoding', (path) => `${path}%zz`],
  ['a letter of another script', (path) => path.replace('v1', '%EF%BD%961')],
  ['an extension', (path) => `${path}.json`],
  ['a whole URL', (path) => `http://assay.example.org${path}`],
  ['the whole URL of a stranger', (path) => `http://evil.example${path}`],
  ['a whole URL over TLS', (path) => `https://evil.example${path}`],
  ['a backslash', (path) => path.replace('/v1/', '/v1\\')],
  ['a fragment', (path) => `${path}#x`],
];

describe('no spelling of a path leads past the meter', () => {
  let service: TestService;
  const from = '100.64.7.7';
  const statusAndText = async (target: string, method = 'GET') => {
    const request = `${method} ${target} HTTP/1.1\r\nHost: assay.example.org\r\nX-Forwarded-For: ${from}\r\nConnection: close\r\n\r\n`;
    const [answer] = await sendRaw(service.address ?? '', request);
    return { status: answer?.status ?? 0, text: answer?.body ?? '' };
  };

  beforeAll(async () => {
    service = await startService({ door: 'socket' });
    for (let n = 0; n < 5; n += 1) await service.ask('/v1/lookup?task=weather', { from });
    await service.ask(`${SPOT_CHECK}?url=http://seller.example/honest`, { from });
  });
  afterAll(() => service.close());

  it.each(SPELLINGS)('a lookup with %s', async (_, spell) => {
    const { status, text } = await statusAndText(`${spell('/v1/lookup')}?task=weather`);
    expect([400, 402, 404]).toContain(status);
    expect(text).not.toContain('plain-weather');
  });

  it.each(SPELLINGS)('a check with %s', async (_, spell) => {
    const { status, text } = await statusAndText(`${spell(SPOT_CHECK)}?url=http://seller.example/honest`);
    expect([400, 402, 404]).toContain(status);
    expect(text).not.toContain('receipt_id');
  });

  it.each(SPELLINGS)('the paid lookup with %s', async (_, spell) => {
    const { status, text } = await statusAndText(`${spell('/v1/lookup/paid')}?task=weather`);
    expect([400, 402, 404]).toContain(status);
    expect(text).not.toContain('plain-weather');
  });

  it.each(['HEAD', 'OPTIONS', 'POST', 'PUT', 'TRACE', 'PROPFIND', 'SEARCH', 'QUERY'])(
    '%s of a lookup',
    async (method) => {
      const { text } = await statusAndText('/v1/lookup?task=weather', method);
      expect(text).not.toContain('plain-weather');
    },
  );

  it('seven lookups sent at once over one connection are counted like any others', async () => {
    const request = (n: number) =>
      `GET /v1/lookup?task=weather HTTP/1.1\r\nHost: assay.example.org\r\nX-Forwarded-For: 100.64.7.8\r\n${n === 6 ? 'Connection: close\r\n' : ''}\r\n`;
    const answers = await sendRaw(service.address ?? '', [0, 1, 2, 3, 4, 5, 6].map(request).join(''));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 200, 200, 200, 200, 402, 402]);
  });

  it('nothing of this was a fault', () => {
    expect(service.faults).toEqual([]);
  });
});
