import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Answer,
  type ListServer,
  type ReadOptions,
  readAll,
  sourceOf,
  startListServer,
} from './discovery-server.ts';

let server: ListServer;
beforeAll(async () => {
  server = await startListServer();
});
afterAll(() => server.stop());

describe('a document that names many addresses of one host (G76)', () => {
  const SITES = { via: [{ rows: [''], value: 'site', urls: ['{origin}/.well-known/x402'] }], at_once: 3 };

  function read(sites: unknown, answer: Answer, options: Partial<ReadOptions> = {}, data: object = SITES) {
    server.answer((url, response, request) => {
      if (url.host === 'list.example.com') response.end(JSON.stringify(sites));
      else answer(url, response, request);
    });
    return readAll(sourceOf(data, { fetch: server.fetch, ...options }));
  }
  const site = (n: number) => ({ site: `https://s${n}.example.com/about` });
  const manifest = () => '{"resources":[]}';
  const askedSites = () =>
    server.requests.map(({ url }) => new URL(url).host).filter((host) => host !== 'list.example.com');

  it('asks two addresses of a host name, however many ports and spellings of it are named', async () => {
    const ports = Array.from({ length: 20 }, (_, n) => ({
      site: `https://victim.example.com:${10_000 + n}/`,
    }));
    const spelled = [
      'https://VICTIM.example.com/',
      'https://victim.example.com.:7/',
      'http://victim.example.com/',
    ];
    const named = [...ports, ...spelled.map((url) => ({ site: url })), site(1)];
    await read(named, (_, response) => response.end(manifest()));
    expect(askedSites()).toEqual(['victim.example.com:10000', 'victim.example.com:10001', 's1.example.com']);
  });

  it('asks no more of it when many documents name one address each', async () => {
    const via = [
      { rows: [''], value: 'n', urls: ['https://list.example.org/{value}.json'] },
      { value: 'home', urls: ['{origin}/.well-known/x402'] },
    ];
    const answer: Answer = ({ host, pathname }, response) => {
      const [, port] = /^[/](\d+)\.json$/.exec(pathname) ?? [];
      response.end(
        host === 'list.example.org' ? `{"home":"https://victim.example.com:${port}"}` : manifest(),
      );
    };
    const documents = Array.from({ length: 9 }, (_, n) => ({ n: `${10_000 + n}` }));
    await read(documents, answer, {}, { via, at_once: 3 });
    expect(askedSites().filter((host) => host !== 'list.example.org')).toEqual([
      'victim.example.com:10000',
      'victim.example.com:10001',
    ]);
  });

  it('does not let many addresses of one host take the place of others', async () => {
    const ports = Array.from({ length: 9 }, (_, n) => ({
      site: `https://victim.example.com:${10_000 + n}/`,
    }));
    await read([...ports, site(1)], (_, response) => response.end(manifest()), { limits: { addresses: 3 } });
    expect(askedSites()).toContain('s1.example.com');
  });

  it('sends at most two requests at once to a host name', async () => {
    const via = [{ rows: [''], value: 'site', urls: ['{origin}/a', '{origin}/b', '{origin}/c'] }];
    const inFlight = new Map<string, number>();
    const most = new Map<string, number>();
    const fetch: ReadOptions['fetch'] = async (url, init) => {
      const { hostname } = new URL(url);
      const now = (inFlight.get(hostname) ?? 0) + 1;
      inFlight.set(hostname, now);
      most.set(hostname, Math.max(most.get(hostname) ?? 0, now));
      const response = await server.fetch(url, init);
      inFlight.set(hostname, (inFlight.get(hostname) ?? 0) - 1);
      return response;
    };
    const named = [site(0), { site: 'https://s0.example.com:81' }, site(1)];
    await read(named, (_, response) => response.end(manifest()), { fetch }, { via, at_once: 8 });
    expect(askedSites().toSorted()).toEqual([
      's0.example.com',
      's0.example.com',
      's0.example.com',
      's0.example.com:81',
      's0.example.com:81',
      's0.example.com:81',
      's1.example.com',
      's1.example.com',
      's1.example.com',
    ]);
    expect([...most]).toEqual([
      ['list.example.com', 1],
      ['s0.example.com', 2],
      ['s1.example.com', 2],
    ]);
  });
});
