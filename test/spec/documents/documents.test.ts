import { Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { DIAGNOSTICS } from '../../../src/core/diagnose/diagnostic.ts';
import { RULES } from '../../../src/core/verdict/rules.ts';
import { readAsset } from '../../../src/pages/frame/read-asset.ts';
import { PROBLEMS } from '../../../src/wire/responses/problem.ts';
import { ALT, BASE, servingDocuments } from '../../support/running/serving-documents.ts';

const { ask } = servingDocuments();
const textOf = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
  (await ask(path, headers)).text();

const HTML = 'text/html; charset=utf-8';
const PLAIN = 'text/plain; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
const DOCUMENTS: [path: string, type: string][] = [
  ['/docs', HTML],
  ['/sellers', HTML],
  ['/method', HTML],
  ['/problems', HTML],
  ['/prober', HTML],
  ['/openapi.json', JSON_TYPE],
  ['/.well-known/x402', JSON_TYPE],
  ['/.well-known/x402.json', JSON_TYPE],
  ['/.well-known/api-catalog', 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'],
  ['/.well-known/security.txt', PLAIN],
  ['/llms.txt', PLAIN],
  ['/robots.txt', PLAIN],
  ['/sitemap.xml', 'application/xml; charset=utf-8'],
  ['/style.css', 'text/css; charset=utf-8'],
  ['/assay.js', 'text/javascript; charset=utf-8'],
  ['/favicon.svg', 'image/svg+xml'],
  ['/favicon.ico', 'image/x-icon'],
  ['/apple-touch-icon.png', 'image/png'],
];

describe.each(DOCUMENTS)('%s (G84)', (path, type) => {
  it('is served with its type, and may be kept for a while', async () => {
    const response = await ask(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(50);
  });

  it('is not sent again to whoever has it', async () => {
    const etag = (await ask(path)).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{20,}"$/);
    const again = await ask(path, { 'if-none-match': etag });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
    expect((await ask(path, { 'if-none-match': '"another"' })).status).toBe(200);
  });

  it('answers HEAD without a body, and no other method', async () => {
    const head = await ask(path, {}, 'HEAD');
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([200, type, '']);
    const post = await ask(path, {}, 'POST');
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  it('keeps the caller on the address that was called (G80)', async () => {
    const other = await textOf(path, { host: 'alt.example.org' });
    const forged = await textOf(path, { host: 'evil.example' });
    expect(forged).toBe(await textOf(path));
    expect(forged).not.toContain('evil.example');
    if (LINKING.has(path)) expect(other).toContain(ALT);
  });
});

/** The documents in which our own address stands. */
const LINKING = new Set(
  ['/docs', '/openapi.json', '/.well-known/x402', '/.well-known/api-catalog', '/llms.txt'].concat([
    '/robots.txt',
    '/sitemap.xml',
  ]),
);

describe('pages', () => {
  it.each(['/problems', '/prober'])('%s has neither script nor style of its own', async (path) => {
    const response = await ask(path);
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self'/);
    const text = await response.text();
    expect(text).toMatch(/^<!doctype html>/);
    expect(text).not.toMatch(
      /<script|<style|style=|onclick|https?:\/\/(?!assay\.example\.org|api\.example\.com)/,
    );
  });

  it('the docs have a command for every route', async () => {
    const text = await textOf('/docs');
    for (const path of [
      '/v1/products/endpoint-spot-check?url=https://weather.example.com/v1/now&amp;claimed_price=0.02',
      '/v1/lookup?task=weather',
      '/v1/lookup/paid',
      '/v1/tasks',
      '/v1/receipts/by-url?url=',
      '/v1/receipts?type=live',
      '/v1/receipts/&lt;id&gt;',
      '/v1/skips.json',
      '/v1/products/overnight-cos-pack',
    ]) {
      expect(text).toContain(`${BASE}${path}`);
    }
    expect(text).toMatch(/<code>pay<\/code>[\s\S]*<code>skip<\/code>[\s\S]*<code>recheck<\/code>/);
  });

  it('the docs have every rule of the judge in its order, and every route of the OpenAPI document', async () => {
    const text = await textOf('/docs');
    const rules = [...text.matchAll(/<tr id="([a-z_]+)"><td>/g)].map(([, id]) => id);
    expect(rules).toEqual([...RULES.map(({ id }) => id), 'price_ok']);
    const { paths } = Object(await (await ask('/openapi.json')).json());
    for (const [path, methods] of Object.entries(Object(paths))) {
      for (const method of Object.keys(Object(methods)))
        expect(text).toContain(`<code>${method.toUpperCase()} ${path}</code>`);
    }
  });

  it('the docs explain every diagnostic, under an anchor of its own', async () => {
    const text = await textOf('/docs');
    const anchors = [...text.matchAll(/<tr id="fix-([a-z0-9_]+)"><td><code>([a-z0-9_]+)<\/code>/g)];
    expect(anchors.map(([, anchor]) => anchor)).toEqual(Object.keys(DIAGNOSTICS));
    expect(anchors.map(([, , code]) => code)).toEqual(Object.keys(DIAGNOSTICS));
    for (const { problem } of Object.values(DIAGNOSTICS)) expect(text).toContain(problem);
  });

  it('the docs have no script but our own file', async () => {
    const { headers } = await ask('/docs');
    expect(headers.get('content-security-policy')).toMatch(/; script-src 'self'$/);
    const text = await textOf('/docs');
    expect(text.match(/<script[^>]*>/g)).toEqual(['<script src="/assay.js" defer>']);
    expect(text).not.toMatch(/<style|\sstyle=|\son[a-z]+=/i);
  });

  it('the script is one that a program can read', async () => {
    const script = String(readAsset('assay.js'));
    expect(() => new Script(script)).not.toThrow();
    expect(script).not.toMatch(/fetch|XMLHttpRequest|eval|localStorage|cookie/);
  });

  it('the page of problems has a row for every code', async () => {
    const text = await textOf('/problems');
    for (const [code, { status, title }] of Object.entries(PROBLEMS)) {
      expect(text).toContain(
        `<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${title}</td>`,
      );
    }
    expect(text).not.toMatch(/<td><\/td>/);
  });

  it('the page for sellers has everything an owner can do, with our address in the commands', async () => {
    const text = await textOf('/sellers');
    for (const part of ['why', 'prove', 'retest', 'reply', 'watch', 'badge', 'opt-out']) {
      expect(text).toContain(`<h2 id="${part}">`);
    }
    expect(text).toContain(
      `assay seller retest https://api.example.com/data --key assay.pem --server ${BASE}`,
    );
    expect(text).toContain('<a href="mailto:hello@assay.example.org">Write to us</a>');
    for (const path of ['/docs', '/sellers']) expect(await textOf(path)).toContain('href="/sellers"');
  });

  it('the page about the prober says what is sent and whom to write to', async () => {
    const text = await textOf('/prober');
    expect(text).toContain('User-Agent: Assay-Prober/VERSION (+https://assay.example.org/prober)');
    expect(text).toContain('<a href="mailto:hello@assay.example.org">hello@assay.example.org</a>');
    const silent = servingDocuments({ contact: `${BASE}/prober` });
    expect(await (await silent.ask('/prober')).text()).toMatch(/not\s+published a contact address/);
  });

  it('the page about the prober names the limits of hosts and addresses, and what opting out does', async () => {
    const text = (await textOf('/prober')).replaceAll(/\s+/g, ' ');
    expect(text).toContain('Per host and port at most 3 requests at a time and 30 a minute');
    expect(text).toContain(
      'Per address, whatever names resolve to it, at most 24 requests at a time and 300 a minute.',
    );
    expect(text).toContain('the example of the listing, or values built from its schema, at most 1 kB');
    expect(text).toContain('nothing is sent there: no check of a caller, no dry run, no crawl');
  });

  it('what an operator sets is escaped', async () => {
    const contact = 'https://example.org/?a="><script>alert(1)</script>&b=\'';
    const hostile = servingDocuments({ contact, addresses: ['http://[::1]:4402'] });
    for (const path of ['/docs', '/sellers', '/method', '/problems', '/prober', '/sitemap.xml']) {
      expect(await (await hostile.ask(path)).text()).not.toMatch(/<script>|"><script/);
    }
    expect(await (await hostile.ask('/prober')).text()).toContain('?a=&quot;&gt;&lt;script&gt;');
    expect(await (await hostile.ask('/openapi.json')).json()).toMatchObject({
      info: { contact: { url: contact } },
    });
  });
});

describe('the promises', () => {
  it.each(['/openapi.json', '/llms.txt'])('stand in %s', async (path) => {
    const text = await textOf(path);
    expect(text).toContain('Payment buys query access only.');
    expect(text).toContain('It never changes a result, a sort order, a listing or a check.');
    expect(text).toContain('never pays a target');
    expect(text).toContain('no investment advice');
    expect(text).toContain('no customer funds');
  });
});

describe.each(['plex-sans-400', 'plex-sans-600', 'plex-mono-400'])('the font %s', (name) => {
  it('is served from here, for ever', async () => {
    const response = await ask(`/fonts/${name}.woff2`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'font/woff2']);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(Buffer.from(await response.arrayBuffer()).toString('latin1', 0, 4)).toBe('wOF2');
  });
});
