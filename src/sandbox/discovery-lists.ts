import { formatUsd, usdNumber } from '../core/money/micro-usd.ts';
import { mainnetOf, parseNetwork } from '../core/x402/networks.ts';
import { USDC_DOMAIN } from '../core/x402/usdc-on-base.ts';
import { type LoopbackAnswer, serveLoopback } from './loopback-server.ts';
import { entryV1, entryV2 } from './sellers/seller-challenge.ts';
import type { OpenSeller } from './sellers/start-sellers.ts';
import type { Stops } from './stops.ts';

export interface ListsOptions {
  readonly sellers: readonly OpenSeller[];
  readonly stops: Stops;
  readonly now: () => Date;
}

type Listed = Pick<OpenSeller, 'url' | 'name' | 'about' | 'claims' | 'method' | 'versions' | 'example'>;

interface Page {
  readonly limit: number;
  readonly offset: number;
  readonly total: number;
}

interface DiscoveryList {
  readonly path: string;
  readonly row: (seller: Listed, updated: Date) => object;
  readonly envelope: (rows: readonly object[], page: Page) => object;
}

/** All sellers in two common list formats, with their claimed terms. */
const LISTS: Readonly<Record<string, DiscoveryList>> = {
  /** As facilitators publish it: the terms of a 402. */
  bazaar: {
    path: '/discovery/resources',
    row: bazaarRow,
    envelope: (items, pagination) => ({ x402Version: 2, items, pagination }),
  },
  /** As an index publishes it: a price in dollars, a network name, no payee. */
  x402index: {
    path: '/api/v1/services',
    row: indexRow,
    envelope: (services, page) => ({ services, ...page }),
  },
};

const PAGE = { limit: 100, max: 1_000 };

/** Returns the address of each list by name. */
export async function startDiscoveryLists({
  sellers,
  stops,
  now,
}: ListsOptions): Promise<Readonly<Record<string, string>>> {
  const server = await serveLoopback({
    handle: async ({ path }) => {
      const { pathname, searchParams } = new URL(path, server.url);
      const list = Object.values(LISTS).find((one) => one.path === pathname);
      if (list === undefined) return json(404, { error: 'not_found' });
      const offset = numberIn(searchParams.get('offset')) ?? 0;
      const limit = Math.min(numberIn(searchParams.get('limit')) ?? PAGE.limit, PAGE.max);
      const rows = sellers.slice(offset, offset + limit).map((seller) => list.row(seller, now()));
      return json(200, list.envelope(rows, { limit, offset, total: sellers.length }));
    },
  });
  stops.add(server.stop);
  return Object.fromEntries(Object.entries(LISTS).map(([name, { path }]) => [name, server.url + path]));
}

function numberIn(text: string | null): number | null {
  return text !== null && /^[0-9]{1,6}$/.test(text) ? Number(text) : null;
}

function bazaarRow({ url, about, claims, method, versions, example }: Listed, updated: Date): object {
  const asked = method === 'POST' ? { bodyType: 'json', body: example } : { queryParams: example };
  const input = { type: 'http', method, ...asked };
  return {
    resource: url,
    type: 'http',
    description: about,
    lastUpdated: updated.toISOString(),
    ...(versions === 'v1'
      ? { x402Version: 1, accepts: [{ ...entryV1(claims, url, about), outputSchema: { input } }] }
      : { x402Version: 2, accepts: [entryV2(claims)], extensions: { bazaar: { info: { input } } } }),
  };
}

function indexRow({ url, name, about, claims, method }: Listed, updated: Date): object {
  const network = mainnetOf(parseNetwork(claims.network))?.name ?? claims.network;
  return {
    id: name,
    name: `Sandbox ${name.replaceAll('-', ' ')}`,
    description: `${about} $${formatUsd(claims.amount)} a call.`,
    url,
    protocol: 'x402',
    price_usd: usdNumber(claims.amount),
    payment_asset: USDC_DOMAIN.name,
    payment_network: network === 'base' ? 'Base' : network,
    category: 'sandbox',
    provider: 'sandbox',
    http_method: method,
    probe_status: 'probeable',
    last_checked: updated.toISOString().slice(0, 19).replace('T', ' '),
  };
}

function json(status: number, body: object): LoopbackAnswer {
  return { kind: 'json', status, body: JSON.stringify(body) };
}
