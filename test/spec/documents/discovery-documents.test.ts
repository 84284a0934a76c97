import { describe, expect, it } from 'vitest';
import { BASE, servingDocuments, WALLET } from '../../support/running/serving-documents.ts';

const { ask } = servingDocuments();
const textOf = async (path: string) => (await ask(path)).text();
const jsonOf = async (path: string) => JSON.parse(await textOf(path));

describe('/llms.txt', () => {
  it('has the verdicts, every route and every price', async () => {
    const text = await textOf('/llms.txt');
    expect(text).toMatch(/^# Assay\n\n> /);
    for (const word of ['- pay: ', '- skip: ', '- recheck: ', '0.01 to 0.25 USD', '0.02 USD', '9 USD']) {
      expect(text).toContain(word);
    }
    const paths = [...text.matchAll(/\]\(https:\/\/assay\.example\.org([^)]*)\)/g)].map(([, path]) => path);
    expect(paths).toEqual([
      '/v1/products/endpoint-spot-check',
      '/v1/lookup',
      '/v1/lookup/paid',
      '/v1/services',
      '/v1/services/{id}',
      '/v1/hosts/{host}',
      '/v1/payees/{address}',
      '/v1/tasks',
      '/v1/receipts/by-url',
      '/v1/receipts',
      '/v1/receipts/{id}',
      '/v1/receipts/{id}/proof',
      '/v1/skips.json',
      '/v1/watch.atom',
      '/badge.svg',
      '/v1/corrections',
      '/v1/products/overnight-cos-pack',
      '/mcp',
      '/openapi.json',
      '/docs',
      '/method',
      '/sellers',
      '/problems',
      '/prober',
    ]);
  });
});

describe('/.well-known/security.txt (RFC 9116)', () => {
  const expiryIn = (text: string) => new Date(/^Expires: (\S+)$/m.exec(text)?.[1] ?? '');

  it('has what the standard asks for', async () => {
    expect((await textOf('/.well-known/security.txt')).split('\n')).toEqual([
      'Contact: mailto:hello@assay.example.org',
      'Expires: 2027-11-10T00:00:00Z',
      'Preferred-Languages: en',
      'Canonical: https://assay.example.org/.well-known/security.txt',
      'Canonical: https://alt.example.org/.well-known/security.txt',
      '',
    ]);
  });

  it.each(['2026-11-15T23:59:59.999Z', '2026-11-16T00:00:00.000Z', '2028-02-29T12:00:00.000Z'])(
    'expires in the future, within a year, however long the process runs: %s',
    async (moment) => {
      const { ask: askThen, clock } = servingDocuments();
      await askThen('/.well-known/security.txt');
      clock.now = new Date(moment);
      const days =
        (+expiryIn(await (await askThen('/.well-known/security.txt')).text()) - +clock.now) / 86_400_000;
      expect(days).toBeGreaterThan(350);
      expect(days).toBeLessThan(365);
    },
  );
});

describe('for crawlers', () => {
  it('robots.txt names the sitemap and keeps them off what is metered or probes', async () => {
    expect(await textOf('/robots.txt')).toBe(
      [
        'User-agent: *',
        'Disallow: /v1/lookup?',
        'Disallow: /v1/products/endpoint-spot-check?',
        'Disallow: /check',
        'Allow: /',
        '',
        'Sitemap: https://assay.example.org/sitemap.xml',
        '',
      ].join('\n'),
    );
  });

  it('the sitemap lists the pages', async () => {
    const text = await textOf('/sitemap.xml');
    expect(text).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<urlset /);
    const paths = [...text.matchAll(/<loc>https:\/\/assay\.example\.org([^<]*)<\/loc>/g)].map(
      ([, path]) => path,
    );
    expect(paths).toEqual(
      [
        '/',
        '/v1/skips',
        '/catalog',
        '/method',
        '/docs',
        '/sellers',
        '/v1/receipts',
        '/v1/tasks',
        '/corrections',
        '/problems',
        '/prober',
        '/llms.txt',
      ].concat('/openapi.json'),
    );
  });

  it('the icon is one image of 32 by 32 pixels, a whole PNG', async () => {
    const bytes = Buffer.from(await (await ask('/favicon.ico')).arrayBuffer());
    expect([...bytes.subarray(0, 8)]).toEqual([0, 0, 1, 0, 1, 0, 32, 32]);
    const [length, offset] = [bytes.readUInt32LE(14), bytes.readUInt32LE(18)];
    expect([offset, offset + length]).toEqual([22, bytes.length]);
    expect(bytes.subarray(22, 26).toString('latin1')).toBe('\x89PNG');
    expect(bytes.subarray(-8, -4).toString('latin1')).toBe('IEND');
    expect(await textOf('/favicon.svg')).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
  });
});

describe('/.well-known/x402', () => {
  const PATHS = ['/v1/lookup/paid', '/v1/products/endpoint-spot-check', '/v1/products/overnight-cos-pack'];

  it('lists what is for sale for readers of either kind, under both names', async () => {
    const manifest = await jsonOf('/.well-known/x402');
    const resources = PATHS.map((path) => BASE + path);
    expect(manifest).toMatchObject({
      version: 1,
      resources,
      x402Version: 2,
      lastUpdated: '2026-11-15T12:00:00.000Z',
      items: resources.map((resource) => ({
        resource,
        type: 'http',
        input: { type: 'http', method: 'GET' },
      })),
    });
    const amounts = manifest.items.map(({ accepts }: { accepts: object[] }) => accepts);
    expect(amounts).toMatchObject(
      ['20000', '10000', '9000000'].map((amount) => [{ scheme: 'exact', amount, payTo: WALLET }]),
    );
    expect(await jsonOf('/.well-known/x402.json')).toEqual(manifest);
  });

  it('lists nothing where nobody can be paid', async () => {
    const manifest = await (await servingDocuments({ payTo: null }).ask('/.well-known/x402')).json();
    expect(manifest).toMatchObject({ version: 1, resources: [], x402Version: 2, items: [] });
  });
});

describe('/.well-known/api-catalog (RFC 9727)', () => {
  it('links what describes the API, and itself', async () => {
    expect(await jsonOf('/.well-known/api-catalog')).toMatchObject({
      linkset: [
        { anchor: `${BASE}/.well-known/api-catalog`, item: [{ href: BASE }] },
        {
          anchor: BASE,
          'service-desc': [{ href: `${BASE}/openapi.json` }],
          'service-doc': [{ href: `${BASE}/llms.txt` }, { href: `${BASE}/` }],
          status: [{ href: `${BASE}/healthz` }],
        },
        { anchor: `${BASE}/mcp`, 'service-desc': [{ href: `${BASE}/mcp/server-card` }] },
      ],
    });
    const { headers } = await ask('/.well-known/api-catalog', {}, 'HEAD');
    expect(headers.get('link')).toBe(`<${BASE}/.well-known/api-catalog>; rel="api-catalog"`);
  });
});
