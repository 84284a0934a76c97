import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BASE_URL, BOTH_DOORS, startService, type TestService } from '../support/running/running-service.ts';

const SPOT_CHECK = '/v1/products/endpoint-spot-check';

describe.each(BOTH_DOORS)('what is wrong and what is well, through the %s', (door) => {
  let service: TestService;
  const ask: TestService['ask'] = (path, sent) => service.ask(path, sent);

  beforeAll(async () => {
    service = await startService({ door });
  });
  afterAll(() => service.close());

  describe('problem bodies (G60)', () => {
    it.each([
      ['/nothing', 404, 'not_found', 'Not found', undefined],
      ['/v1/lookup', 400, 'bad_request', 'Bad request', 'task'],
      ['/v1/lookup?task=a&n=0', 400, 'bad_request', 'Bad request', 'n'],
      ['/v1/receipts/0000000000', 404, 'not_found', 'Not found', undefined],
      ['/v1/receipts/by-url?url=http://no.example/', 404, 'no_receipt', 'No receipt', undefined],
      [`${SPOT_CHECK}?url=http://10.0.0.1/`, 400, 'ssrf_blocked', 'URL is blocked', 'url'],
    ])('%s', async (path, status, code, title, field) => {
      const { json, header } = await ask(path);
      expect(header('content-type')).toBe('application/problem+json; charset=utf-8');
      expect(json).toMatchObject({
        type: `${BASE_URL}/problems#${code}`,
        title,
        status,
        detail: expect.stringMatching(/^[\x20-\x7e]{10,200}\.$/),
        instance: header('x-request-id'),
        code,
        error: json.detail,
      });
      expect(json.field).toBe(field);
      const { text } = await ask(json.type.slice(BASE_URL.length).split('#')[0]);
      expect(text).toContain(`id="${code}"`);
    });
  });

  it('members beyond these are only what the interface adds', async () => {
    const names = ['type', 'title', 'status', 'detail', 'instance', 'code', 'error'];
    expect(Object.keys((await ask('/nothing')).json).sort()).toEqual([...names].sort());
    expect(Object.keys((await ask('/v1/lookup')).json).sort()).toEqual([...names, 'field'].sort());
  });

  it('no problem repeats what the caller wrote', async () => {
    const paths = [
      '/<script>',
      '/v1/lookup?task=a&n=<script>',
      '/v1/receipts/<script>',
      '/v1/receipts?type=<script>',
    ];
    for (const path of paths) expect((await ask(path)).text).not.toContain('script');
  });

  it('/healthz: the process answers, with its version and that of the interface (G88)', async () => {
    const { status, json } = await ask('/healthz');
    expect([status, json]).toEqual([200, { ok: true, status: 'ok', version: '9.9.9', interface: '0.16.1' }]);
  });

  it('/readyz: it can write to its store, which has its tables, and it is not about to stop', async () => {
    const { status, json } = await ask('/readyz');
    const checks = { store: 'ok', schema: 'ok', process: 'ok', log: 'ok' };
    expect([status, json]).toEqual([200, { ok: true, status: 'ok', version: '9.9.9', checks }]);
  });
});
