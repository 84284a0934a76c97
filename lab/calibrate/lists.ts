import { createSources } from '../../src/adapters/discovery/create-sources.ts';
import { READING_LIMITS } from '../../src/adapters/discovery/reading-limits.ts';
import { readLists } from '../../src/core/crawl/list-settings.ts';
import type { DiscoverySource } from '../../src/ports/discovery.ts';
import { ENTRY } from '../../tools/samples/challenge.ts';

/** A row of one of the lists below, in the shape that lists of its kind have. */
export interface Row {
  readonly list: ListName;
  readonly row: unknown;
}

/** In the order of their rank. */
const SETTINGS = [
  { name: 'bazaar', format: 'json', rows: ['items'] },
  { name: 'explorer', format: 'json', rows: ['data'], numbers: 'usd' },
  { name: 'directory', format: 'json', rows: ['services'] },
  { name: 'manifest', format: 'json', rows: ['resources'] },
  { name: 'readme', format: 'markdown' },
] as const;

export type ListName = (typeof SETTINGS)[number]['name'];

export function bazaarRow(url: string, more: object = {}, accepts: readonly unknown[] = [ENTRY]): Row {
  const row = { resource: url, type: 'http', x402Version: 2, lastUpdated: '2026-11-10T08:00:00.000Z' };
  return { list: 'bazaar', row: { ...row, accepts, ...more } };
}

/** Amounts are in dollars, networks have the names of version 1. */
export function explorerRow(url: string, offer: object = {}): Row {
  const { asset, payTo, scheme, extra } = ENTRY;
  const accepts = [
    { scheme, network: 'base', maxAmountRequired: 0.01, resource: url, payTo, asset, extra, ...offer },
  ];
  return { list: 'explorer', row: { resource: url, method: '', type: 'http', accepts, tags: [] } };
}

/** Without payee. */
export function directoryRow(url: string, more: object = {}): Row {
  const row = { name: 'A service', url, protocol: 'x402', price_usd: 0.01, payment_asset: 'USD Coin' };
  return { list: 'directory', row: { ...row, payment_network: 'Base', http_method: 'GET', ...more } };
}

export function manifestRow(text: string): Row {
  return { list: 'manifest', row: text };
}

export function readmeRow(url: string): Row {
  return { list: 'readme', row: `- [A service](${url}) - tells the weather, $0.01 a call` };
}

/** The lists as the crawl reads them. */
export function listsOf(rows: readonly Row[], now: () => Date): DiscoverySource[] {
  const settings = SETTINGS.map((list) => ({ ...list, url: `https://lists.example.com/${list.name}` }));
  const reading = readLists(settings);
  if (reading.kind === 'invalid') throw new Error(`${reading.field} ${reading.problem}`);
  const documents = new Map(SETTINGS.map((list) => [`/${list.name}`, documentOf(list, rows)]));
  return createSources(reading.lists, {
    fetch: async (url) => new Response(documents.get(new URL(url).pathname) ?? ''),
    wait: async () => {},
    random: () => 0.5,
    now,
    limits: READING_LIMITS,
  });
}

function documentOf(list: (typeof SETTINGS)[number], rows: readonly Row[]): string {
  const own = rows.filter((one) => one.list === list.name).map(({ row }) => row);
  if (list.format === 'markdown') return ['# Services', '', ...own].join('\n');
  return JSON.stringify({ [list.rows[0]]: own });
}
