import { describe, expect, it } from 'vitest';
import { useService } from '../../support/asking.ts';
import { BROWSER } from '../../support/pages.ts';

const HTML = 'text/html; charset=utf-8';
const PROBLEM = 'application/problem+json; charset=utf-8';

describe('a mistake in a browser', () => {
  const service = useService({});
  const visit = (path: string, method = 'GET') => service.ask(path, { method, headers: BROWSER });

  it.each<[string, string, string, number, string[]]>([
    ['an unknown path', '/nothing', 'GET', 404, ['<h1>Not found</h1>', 'Nothing at this path;']],
    [
      'a wrong method',
      '/docs',
      'DELETE',
      405,
      ['Method not allowed', 'This path supports GET, HEAD, OPTIONS.'],
    ],
    [
      'a bad parameter',
      '/v1/lookup?task=a&n=0',
      'GET',
      400,
      ['<h1>Bad request</h1>', '<code>n</code>', 'Correct the parameter named in field'],
    ],
    ['an unknown task', '/catalog/no-such-task', 'GET', 404, ['Unknown task;']],
    [
      'a URL without a receipt',
      '/v1/receipts/by-url?url=http://no.example/',
      'GET',
      404,
      ['<h1>No receipt</h1>', 'check_now'],
    ],
  ])('%s is a page with the same status', async (_, path, method, status, words) => {
    const page = await visit(path, method);
    expect([page.status, page.header('content-type'), page.header('cache-control')]).toEqual([
      status,
      HTML,
      'no-store',
    ]);
    expect([page.header('x-robots-tag'), page.header('vary')]).toEqual(['noindex', 'Accept']);
    expect(page.header('content-security-policy')).toContain("default-src 'none'");
    for (const word of words) expect(page.text).toContain(word);
    for (const link of ['href="/"', 'href="/docs"', 'href="/problems#']) expect(page.text).toContain(link);
    expect(page.text).toContain(page.header('x-request-id'));
    expect(page.header('content-length')).toBe(String(Buffer.byteLength(page.text)));
  });

  it('keeps the headers of the problem', async () => {
    expect((await visit('/docs', 'DELETE')).header('allow')).toBe('GET, HEAD, OPTIONS');
  });

  it('repeats nothing that the caller wrote', async () => {
    for (const path of ['/<i>', '/v1/lookup?task=a&n=<i>', '/v1/receipts/<i>', '/v1/receipts?type=<i>']) {
      expect((await visit(path)).text).not.toContain('&lt;i&gt;');
      expect((await visit(path)).text).not.toContain('<i>');
    }
  });

  it.each([
    ['no Accept', {}],
    ['anything', { accept: '*/*' }],
    ['JSON', { accept: 'application/json' }],
    ['a problem', { accept: 'application/problem+json, text/html;q=0.1' }],
    ['JSON and a page alike', { accept: 'application/json, text/html' }],
  ])('a program that accepts %s gets the problem as it was', async (_, headers) => {
    const { status, header, json, text } = await service.ask('/nothing', { headers });
    expect([status, header('content-type'), header('vary'), header('x-robots-tag')]).toEqual([
      404,
      PROBLEM,
      null,
      null,
    ]);
    expect(text).toBe(JSON.stringify(json));
  });
});
