import { afterEach, describe, expect, it } from 'vitest';
import { type LoopbackOptions, serveLoopback } from './loopback-server.ts';
import { createStops } from './stops.ts';

const stops = createStops();
afterEach(() => stops.stopAll());

async function serve(handle: LoopbackOptions['handle'], host?: string): Promise<string> {
  const server = await serveLoopback({ handle, host });
  stops.add(server.stop);
  return server.url;
}

const OK = { kind: 'json', status: 200, body: '{}' } as const;

describe('a loopback server', () => {
  it('listens where it is told to, on this machine alone', async () => {
    expect(await serve(async () => OK)).toMatch(/^http:\/\/127\.0\.0\.1:[0-9]+$/);
    expect(await serve(async () => OK, '127.3.2.1')).toMatch(/^http:\/\/127\.3\.2\.1:[0-9]+$/);
    await expect(serve(async () => OK, '0.0.0.0')).rejects.toThrow(
      '0.0.0.0 is not an address of this machine alone',
    );
  });

  it('reads header fields in any letter case, and sends its own', async () => {
    const url = await serve(async ({ method, path, body, header }) => ({
      ...OK,
      body: JSON.stringify([method, path, body, header('X-Payment'), header('x-none')]),
      headers: { 'x-free-trial': 'true' },
    }));
    const sent = { method: 'POST', body: 'text', headers: { 'x-PAYMENT': 'p' } };
    const response = await fetch(`${url}/a?b=c`, sent);
    expect(await response.json()).toEqual(['POST', '/a?b=c', 'text', 'p', null]);
    expect(response.headers.get('x-free-trial')).toBe('true');
    expect(response.headers.get('content-type')).toBe('application/json');
  });

  it('hangs up', async () => {
    const url = await serve(async () => ({ kind: 'hang_up' }));
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });
});
