import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PAYEE } from '../../../tools/samples/challenge.ts';
import {
  type Answer,
  fixture,
  type ListServer,
  type ReadOptions,
  readAll,
  readShipped,
  shown,
  sourceOf,
  startListServer,
} from './discovery-server.ts';

const BASE = 'eip155:8453';

let server: ListServer;
beforeAll(async () => {
  server = await startListServer();
});
afterAll(() => server.stop());

describe('the lists we know that lead to others', () => {
  it('x402org-ecosystem leads from partners to their sites; some have no list, and that is counted', async () => {
    const metadata: Record<string, unknown> = JSON.parse(fixture('ecosystem-metadata.json'));
    const { endpoints, outcome } = await readShipped(
      server,
      'x402org-ecosystem',
      ({ host, pathname }, response) => {
        const [, partner = ''] = /partners-data\/(\w+)\/metadata.json$/.exec(pathname) ?? [];
        if (host === 'api.github.com') response.end(fixture('ecosystem-partners.json'));
        else if (host === 'raw.githubusercontent.com') response.end(JSON.stringify(metadata[partner]));
        else if (host === 'partner.example.com') response.end(fixture('well-known-v2.json'));
        else response.writeHead(404).end();
      },
    );
    expect(endpoints.map(shown)).toEqual([
      ['GET', 'https://partner.example.com/v1/names/somebody', 5_000n, BASE, PAYEE, null, null],
    ]);
    expect(outcome).toMatchObject({ kind: 'read', items: 1, leftOut: new Map([['address_failed', 1]]) });
    expect(server.requests.map(({ url }) => url).filter((url) => url.includes('well-known'))).toEqual([
      'https://partner.example.com/.well-known/x402',
      'https://silent.example.com/.well-known/x402',
    ]);
  });

  it('agent-tools-cloud is asked for every category in two orders', async () => {
    const { endpoints, outcome } = await readShipped(
      server,
      'agent-tools-cloud',
      ({ pathname, searchParams }, response) => {
        const isFirst = searchParams.get('category') === 'data' && searchParams.get('offset') === '0';
        if (pathname.endsWith('/categories')) response.end(fixture('agent-tools-categories.json'));
        else response.end(isFirst ? fixture('agent-tools-search.json') : '{"services":[],"count":0}');
      },
    );
    const once = [
      ['GET', 'https://extract.example.com/extract', 10_000n, BASE, null, null, 'Extract'],
      ['POST', 'https://extract.example.com/batch', 10_000n, BASE, null, null, 'Extract'],
      ['GET', 'https://nano.example.com/', null, null, null, null, 'Nano Only'],
    ];
    expect(endpoints.map(shown)).toEqual([...once, ...once]);
    expect(outcome).toMatchObject({ kind: 'read', items: 6 });
    expect(server.requests.map(({ url }) => url.split('/v1/')[1])).toEqual([
      'categories',
      'search?category=data&sort=default&limit=100&offset=0',
      'search?category=data&sort=default&limit=100&offset=2',
      'search?category=data&sort=newest&limit=100&offset=0',
      'search?category=data&sort=newest&limit=100&offset=2',
      'search?category=a%2Fb+%26+c&sort=default&limit=100&offset=0',
      'search?category=a%2Fb+%26+c&sort=newest&limit=100&offset=0',
    ]);
  });

  it.each([
    ['x402scan', 'its machine-readable list is itself paid, and reading lists never pays'],
    ['mcp-directories', 'their tools are charged inside JSON-RPC and cannot be probed over plain HTTP'],
  ])('%s is not asked, and says why', async (name, note) => {
    const { endpoints, outcome } = await readShipped(server, name, (_, response) => response.end('[]'));
    expect(endpoints).toEqual([]);
    expect(outcome).toEqual({ kind: 'skipped', note });
    expect(server.requests).toEqual([]);
  });
});

describe('a list of sites', () => {
  const SITES = { via: [{ rows: [''], value: 'site', urls: ['{origin}/.well-known/x402'] }], at_once: 3 };

  function read(sites: unknown, answer: Answer, options: Partial<ReadOptions> = {}, data: object = SITES) {
    server.answer((url, response, request) => {
      if (url.host === 'list.example.com') response.end(JSON.stringify(sites));
      else answer(url, response, request);
    });
    return readAll(sourceOf(data, { fetch: server.fetch, ...options }));
  }
  const site = (n: number) => ({ site: `https://s${n}.example.com/about` });
  const sites = (count: number) => Array.from({ length: count }, (_, n) => site(n));
  const manifest = (...urls: string[]) => JSON.stringify({ resources: urls });
  const askedSites = () =>
    server.requests.map(({ url }) => new URL(url).host).filter((host) => host !== 'list.example.com');

  it('asks each site once, and never more at a time than it is told', async () => {
    let [inFlight, most] = [0, 0];
    const { endpoints } = await read([...sites(7), site(3)], ({ host }, response) => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      setImmediate(() => {
        inFlight -= 1;
        response.end(manifest(`https://${host}/x`));
      });
    });
    expect(endpoints.map(({ target }) => target.host)).toEqual(
      ['s0', 's1', 's2', 's3', 's4', 's5', 's6'].map((name) => `${name}.example.com`),
    );
    expect(most).toBe(3);
  });

  it('fails with its first document', async () => {
    server.answer((_, response) => response.writeHead(403).end());
    const { outcome } = await readAll(sourceOf(SITES, { fetch: server.fetch }));
    expect(outcome).toMatchObject({ kind: 'failed', fault: { kind: 'refused' } });
  });

  it('fails when all of its sites do, after two tries each', async () => {
    const { outcome } = await read(sites(2), (_, response) => response.writeHead(500).end());
    expect(outcome).toMatchObject({ kind: 'failed', fault: { kind: 'http_status', status: 500 } });
    expect(askedSites()).toHaveLength(4);
  });

  it('is empty when it names no site', async () => {
    const { outcome } = await read([], (_, response) => response.end());
    expect(outcome).toMatchObject({ kind: 'read', items: 0 });
  });

  it.each<[why: string, value: unknown]>([
    ['no URL', 'example.com'],
    ['a password', 'https://user:secret@s1.example.com/'],
    ['another scheme', 'file:///etc/passwd'],
    ['an object', { toString: 1 }],
    ['a very long text', `https://s1.example.com/${'x'.repeat(600)}`],
    ['nothing', null],
  ])('does not go to a site that is %s', async (_, value) => {
    const { outcome } = await read([{ site: value }, site(2)], (_url, response) => response.end(manifest()));
    expect(outcome).toMatchObject({ kind: 'read', items: 0 });
    expect(askedSites()).toEqual(['s2.example.com']);
  });

  it('fills values in as one part of a path, wherever they would like to lead', async () => {
    const via = [{ rows: [''], value: 'n', urls: ['https://s0.example.com/a/{value}/b.json'] }];
    const values = ['../../x', '..', 'a/b?c#d', '\ud800', '$&', 'plain'];
    await read(
      values.map((n) => ({ n })),
      (_, response) => response.end(manifest()),
      {},
      { via },
    );
    expect(server.requests.slice(1).map(({ url }) => new URL(url).pathname)).toEqual([
      '/a/..%2F..%2Fx/b.json',
      '/a/a%2Fb%3Fc%23d/b.json',
      '/a/%EF%BF%BD/b.json',
      '/a/%24%26/b.json',
      '/a/plain/b.json',
    ]);
  });

  it('is bounded in sites, in endpoints of a site, and in endpoints of all of them', async () => {
    const many = manifest(...Array.from({ length: 1_100 }, (_, n) => `https://x.example.com/${n}`));
    const some = await read(sites(3), (_, response) => response.end(many), { limits: { addresses: 2 } });
    expect(askedSites()).toEqual(['s0.example.com', 's1.example.com']);
    expect(some.outcome).toMatchObject({
      kind: 'read',
      items: 2_000,
      leftOut: new Map([['too_many_endpoints', 200]]),
    });
    const via = [
      { rows: [''], value: 'site', urls: ['{origin}/about.json'] },
      { value: 'home', urls: ['{origin}/a', '{origin}/b', '{origin}/c'] },
    ];
    const answer: Answer = ({ host, pathname }, response) =>
      response.end(pathname === '/about.json' ? `{"home":"https://${host}"}` : manifest());
    await read(sites(3), answer, { limits: { addresses: 2 } }, { via, at_once: 2 });
    expect(server.requests.slice(1).map(({ url }) => url)).toEqual([
      'https://s0.example.com/about.json',
      'https://s1.example.com/about.json',
      'https://s0.example.com/a',
      'https://s0.example.com/b',
    ]);
    const few = await read(sites(20), (_, response) => response.end(many), { limits: { rows: 1_200 } });
    expect(few.outcome).toMatchObject({ kind: 'read', cut: 'row_limit' });
    expect(askedSites()).toHaveLength(3);
  });
});
