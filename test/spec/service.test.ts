import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { problemResponse } from '../../src/http/problem.ts';
import { readConfig } from '../../src/main/config.ts';

const faults: [string, unknown][] = [];
const app = createApp({
  version: '9.9.9<b>',
  newRequestId: () => 'request-1',
  reportFault: (requestId, fault) => faults.push([requestId, fault]),
});

describe('what this build serves', () => {
  it('GET /healthz', async () => {
    const response = await app.request('/healthz');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ ok: true, version: '9.9.9<b>', interface: '0.16.1' });
  });

  it('GET /, escaped and without scripts', async () => {
    const response = await app.request('/');
    expect(response.headers.get('content-type')).toBe('text/html; charset=UTF-8');
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    const text = await response.text();
    expect(text).toContain('9.9.9&lt;b&gt;');
    expect(text).not.toContain('<script');
  });

  it('a problem body for any other path (G60)', async () => {
    const response = await app.request('/v1/unknown');
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(await response.json()).toEqual({
      type: 'about:blank',
      title: 'Not found',
      status: 404,
      detail: 'There is nothing at this path. See / for what is served.',
      instance: 'request-1',
      code: 'not_found',
      error: 'There is nothing at this path. See / for what is served.',
    });
  });

  it('an opaque 500 for our own faults, which are reported', async () => {
    const broken = createApp({
      version: '1',
      newRequestId: () => 'request-2',
      reportFault: (...args) => faults.push(args),
    });
    broken.get('/broken', () => {
      throw new Error('the secret reason');
    });
    const response = await broken.request('/broken');
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('secret');
    expect(faults).toEqual([['request-2', expect.objectContaining({ message: 'the secret reason' })]]);
  });

  it('problem bodies are never cached', () => {
    const problem = { status: 400, code: 'bad', title: 'Bad', detail: 'Bad.' };
    expect(problemResponse(problem, 'x').headers.get('cache-control')).toBe('no-store');
  });
});

describe('the settings', () => {
  it.each<[string, NodeJS.ProcessEnv, object]>([
    ['none', {}, { config: { host: '127.0.0.1', port: 4402, dataDir: 'data', databaseUrl: null } }],
    ['given', { HOST: '0.0.0.0', PORT: '0' }, { config: { host: '0.0.0.0', port: 0 } }],
    ['a server', { DATABASE_URL: 'postgresql://h/d' }, { config: { databaseUrl: 'postgresql://h/d' } }],
    [
      'another kind of server',
      { DATABASE_URL: 'mysql://h/d' },
      { problem: 'DATABASE_URL must begin with postgres://' },
    ],
    ['no folder', { DATA_DIR: '' }, { problem: 'DATA_DIR must be a folder' }],
    ['a port in words', { PORT: 'http' }, { problem: 'PORT must be a port number' }],
    ['a port too high', { PORT: '65536' }, { problem: 'PORT must be at most 65535' }],
    [
      'two mistakes',
      { PORT: '-1', HOST: '' },
      { problem: 'HOST must be an address to listen on; PORT must be a port number' },
    ],
  ])('%s', (_, environment, expected) => {
    expect(readConfig(environment)).toMatchObject(expected);
  });
});
