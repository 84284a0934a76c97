import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { ListFetch } from '../../../src/adapters/discovery/ask-list.ts';
import type { Resolve } from '../../../src/adapters/probe/resolve.ts';
import type { OpenHost } from '../../../src/ports/prober.ts';
import { ENTRY, header, PAYEE, THIEF } from '../../../tools/samples/challenge.ts';
import { ownAddress } from '../../../tools/samples/own-address.ts';
import { httpAnswer, startSeller } from '../probing/fake-seller.ts';
import { probingHarness } from '../probing/probing.ts';

/** What the listing of a URL says in its list; not every format can say everything. */
type ListName = 'paged' | 'by-cursor' | 'whole' | 'text';

interface Nature {
  /** Words of the host name; a prober treats the hosts of some natures in its own way. */
  readonly host: 'shop' | 'dead' | 'silent' | 'private' | 'forged' | 'refusing';
  readonly answer: Buffer | null;
  readonly says: string;
  /** Lists whose entries can say what this nature is about. */
  readonly lists: readonly ListName[];
}

const ALL: readonly ListName[] = ['paged', 'by-cursor', 'whole', 'text'];
const terms = (changes: object) => [header({ x402Version: 2, accepts: [{ ...ENTRY, ...changes }] })];
const shop = (answer: Buffer | null, says: string, lists: readonly ListName[] = ALL): Nature => ({
  host: 'shop',
  answer,
  says,
  lists,
});
const elsewhere = (host: Nature['host'], says: string): Nature => ({ host, answer: null, says, lists: ALL });

/** All that a listed URL can turn out to be, and what a crawl must say of it. */
const NATURES: Readonly<Record<string, Nature>> = {
  honest: shop(httpAnswer(402, terms({})), 'pay: matches listing'),
  dear: shop(
    httpAnswer(402, terms({ amount: '50000' })),
    'skip: price mismatch: listed $0.01, 402 asks $0.05',
  ),
  thief: shop(
    httpAnswer(402, terms({ payTo: THIEF })),
    `skip: pay_to mismatch: listed ${PAYEE}, 402 pays ${THIEF}`,
    ['paged', 'by-cursor'],
  ),
  testing: shop(
    httpAnswer(402, terms({ network: 'eip155:84532' })),
    'skip: network mismatch: listed eip155:8453, 402 offers [eip155:84532]',
    ['paged', 'by-cursor', 'whole'],
  ),
  coin: shop(httpAnswer(402, terms({ asset: THIEF })), 'skip: asset not canonical USDC (eip155:8453)'),
  garbled: shop(httpAnswer(402, [['PAYMENT-REQUIRED', '%%%']]), 'skip: bad challenge (HTTP 402)'),
  open: shop(httpAnswer(200, [], '{"free":true}'), 'skip: no 402 challenge (HTTP 200)'),
  gone: shop(httpAnswer(404, [], 'x'.repeat(2_000)), 'skip: no 402 challenge (HTTP 404)'),
  down: shop(httpAnswer(503, []), 'recheck: server error (HTTP 503)'),
  picky: shop(httpAnswer(402, terms({})), 'pay: matches listing', ['paged']),
  moved: shop(httpAnswer(402, terms({})), 'pay: matches listing'),
  reset: shop(null, 'recheck: unreachable'),
  ':id': shop(null, 'skip: listing url is a path template, not a callable endpoint', ['paged', 'by-cursor']),
  dead: elsewhere('dead', 'skip: dns lookup failed (host does not resolve)'),
  silent: elsewhere('silent', 'recheck: timeout after 5 s'),
  private: elsewhere('private', 'skip: blocked address'),
  forged: elsewhere('forged', 'recheck: unreachable'),
  refusing: elsewhere('refusing', 'recheck: unreachable'),
};
const SHOPS = Object.keys(NATURES).filter((name) => NATURES[name]?.host === 'shop');
const OTHERS = Object.keys(NATURES).filter((name) => NATURES[name]?.host !== 'shop');

export interface GeneratedUrl {
  readonly url: string;
  readonly says: string;
  readonly lists: readonly ListName[];
  /** Requests that its seller must see. */
  readonly requests: number;
}

/** One host in ten is no shop. Of the URLs a quarter is on two lists. */
export function generatedUrls(urls: number, hosts: number): readonly GeneratedUrl[] {
  return Array.from({ length: urls }, (_, n) => {
    const host = n % hosts;
    const others = OTHERS[host % 50] ?? null;
    const name = others ?? SHOPS[(host + Math.floor(n / hosts)) % SHOPS.length] ?? 'honest';
    const nature = NATURES[name] ?? elsewhere('dead', '');
    const scheme = nature.host === 'forged' ? 'https' : 'http';
    const first = nature.lists[n % nature.lists.length] ?? 'paged';
    const isTwice = n % 4 === 0 && nature.lists.length > 1;
    const second = nature.lists.find((list) => list !== first) ?? first;
    const asked = { picky: 2, moved: 2, ':id': 0, dead: 0, private: 0, forged: 0, refusing: 0 }[name] ?? 1;
    return {
      url: `${scheme}://${nature.host}-${host}.example/v1/${name}/${n}`,
      says: nature.says,
      lists: isTwice ? [first, second] : [first],
      requests: asked,
    };
  });
}

export const LISTS = [
  { name: 'paged', format: 'json', url: 'https://paged.example.com/all', pages: { by: 'offset', size: 500 } },
  {
    name: 'by-cursor',
    format: 'json',
    url: 'https://cursor.example.com/all',
    pages: { by: 'cursor', size: 400, next: 'page.next' },
  },
  { name: 'whole', format: 'json', url: 'https://whole.example.com/all', endpoints: ['endpoints'] },
  { name: 'text', format: 'markdown', url: 'https://text.example.com/README.md' },
] as const;

/** The four documents, each in its own words. */
export function servingLists(urls: readonly GeneratedUrl[]): ListFetch {
  const on = (list: ListName) => urls.filter(({ lists }) => lists.includes(list)).map(({ url }) => url);
  const [paged, byCursor, whole, text] = [on('paged'), on('by-cursor'), on('whole'), on('text')];
  const answer = (address: URL): string => {
    const start = Number(address.searchParams.get('offset') ?? address.searchParams.get('cursor') ?? 0);
    switch (address.hostname) {
      case 'paged.example.com':
        return JSON.stringify({ items: paged.slice(start, start + 500).map(inPages) });
      case 'cursor.example.com': {
        const next = start + 400 < byCursor.length ? String(start + 400) : null;
        return JSON.stringify({ services: byCursor.slice(start, start + 400).map(byName), page: { next } });
      }
      case 'whole.example.com':
        return JSON.stringify({ services: inTens(whole) });
      default:
        return `# Endpoints\n\n${text.map((url) => `- [One](${url}) costs $0.01 per call.`).join('\n')}\n`;
    }
  };
  return async (url) => new Response(answer(new URL(url)));
}

const inPages = (url: string) => ({
  resource: url,
  type: 'http',
  accepts: [ENTRY],
  ...(url.includes('/picky/') ? { inputSchema: { queryParams: { q: { example: 'x' } } } } : {}),
});
const byName = (url: string) => ({ url, price_usd: '0.01', network: 'base', pay_to: PAYEE, method: 'GET' });
const inTens = (urls: readonly string[]) =>
  Array.from({ length: Math.ceil(urls.length / 10) }, (_, n) => ({
    name: `Service ${n}`,
    endpoints: urls
      .slice(n * 10, n * 10 + 10)
      .map((url) => ({ url, method: 'GET', pricing: { amount: '0.01', currency: 'USDC', network: 'base' } })),
  }));

/** What the sellers saw. */
export interface SellersSaw {
  readonly requests: Map<string, number>;
  readonly mostPerHost: () => number;
  readonly paymentHeaders: () => number;
  readonly connections: () => number;
}

export async function startSellers(): Promise<{
  readonly openHost: OpenHost;
  readonly saw: SellersSaw;
  close(): Promise<void>;
}> {
  const requests = new Map<string, number>();
  const inFlight = new Map<string, number>();
  const counted = { most: 0, payments: 0, dials: 0 };
  const seller = await startSeller((socket, request) => {
    const [, path = '/'] = /^\S+ (\S+)/.exec(request) ?? [];
    const [, host = ''] = /\r\nhost: (\S+)/i.exec(request) ?? [];
    requests.set(path, (requests.get(path) ?? 0) + 1);
    if (/payment|authorization|cookie/i.test(request)) counted.payments += 1;
    const now = (inFlight.get(host) ?? 0) + 1;
    inFlight.set(host, now);
    counted.most = Math.max(counted.most, now);
    let isOver = false;
    const over = () => {
      if (!isOver) inFlight.set(host, (inFlight.get(host) ?? 1) - 1);
      isOver = true;
    };
    socket.once('close', over);
    if (host.startsWith('silent-')) return;
    setTimeout(() => {
      socket.off('close', over);
      over();
      serve(socket, path);
    }, 1);
  });
  const forger = await startSeller(() => {}, 'self-signed');
  const resolve: Resolve = async (name) => {
    if (name.startsWith('dead-')) return { kind: 'not_found' };
    return { kind: 'addresses', addresses: [name.startsWith('private-') ? '10.0.0.1' : ownAddress(name)] };
  };
  const to = (port: number, timeoutMs: number) =>
    probingHarness(port, {
      resolve,
      timeoutMs,
      dial: async () => {
        counted.dials += 1;
        const socket = connect({ host: '127.0.0.1', port });
        await once(socket, 'connect');
        return socket;
      },
    }).openHost;
  const shops = to(seller.port, 60_000);
  const ways: Readonly<Record<string, OpenHost>> = {
    // Those that never answer are given up soon, all others may be as slow as the machine.
    silent: to(seller.port, 300),
    forged: to(forger.port, 60_000),
    refusing: to(1, 60_000),
  };
  return {
    openHost: (host) => (ways[host.split('-')[0] ?? ''] ?? shops)(host),
    saw: {
      requests,
      mostPerHost: () => counted.most,
      paymentHeaders: () => counted.payments,
      connections: () => counted.dials,
    },
    close: async () => {
      await Promise.all([seller.close(), forger.close()]);
    },
  };
}

function serve(socket: Socket, path: string): void {
  const name = path.split('/')[2] ?? '';
  if (name === 'reset') socket.resetAndDestroy();
  else if (name === 'picky' && !path.includes('?q=x')) socket.write(httpAnswer(400, []));
  else if (name === 'moved' && !path.endsWith('/there'))
    socket.write(httpAnswer(307, [['Location', `${path}/there`]]));
  else socket.write(NATURES[name]?.answer ?? httpAnswer(418, []));
}
