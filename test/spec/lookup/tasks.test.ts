import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTaskIndex } from '../../../src/core/catalog/task-index.ts';
import { DOORS, startService, type TestService } from '../../support/running/running-service.ts';

describe.each(DOORS)('GET /v1/tasks through the %s', (door) => {
  let service: TestService;
  const ask: TestService['ask'] = (path, sent) => service.ask(path, sent);

  beforeAll(async () => {
    service = await startService({ door });
  });
  afterAll(() => service.close());

  it('200: the body is the map from task name to service ids', async () => {
    const { status, json, header } = await ask('/v1/tasks');
    expect(status).toBe(200);
    expect(header('content-type')).toBe('application/json; charset=utf-8');
    expect(json).toEqual({ weather: ['dear-weather', 'plain-weather'], 'web-search': ['search-one'] });
  });

  it('every name in it finds its services', async () => {
    const { json } = await ask('/v1/tasks');
    for (const [task, ids] of Object.entries(json)) {
      const { results } = (await ask(`/v1/lookup?task=${task}`)).json;
      expect(results.map(({ id }: { id: string }) => id).sort()).toEqual(ids);
    }
  });

  it('parameters change nothing, and it stays free', async () => {
    const from = '100.64.9.9';
    const plain = await ask('/v1/tasks', { from });
    for (let n = 0; n < 10; n += 1) {
      expect((await ask(`/v1/tasks?task=${n}&client=x&limit=abc`, { from })).text).toBe(plain.text);
    }
    expect(plain.header('ratelimit')).toBeNull();
  });

  it('a tag, a short time to keep it, and 304', async () => {
    const first = await ask('/v1/tasks');
    expect(first.header('cache-control')).toBe('public, max-age=60');
    const headers = { 'if-none-match': first.header('etag') ?? '' };
    expect((await ask('/v1/tasks', { headers })).status).toBe(304);
  });
});

it('an empty catalog has an empty map', async () => {
  const service = await startService({ world: { index: buildTaskIndex([]) } });
  expect((await service.ask('/v1/tasks')).json).toEqual({});
  await service.close();
});
