import type { Service } from '../../../core/catalog/read-catalog.ts';
import { formatUsd } from '../../../core/money/micro-usd.ts';
import type { Parameter } from '../parameters.ts';
import { ENDPOINT, NETWORK, SELLER } from './example-values.ts';

/** The service of the catalog that the examples of requests name, so that they work on a fresh start. */
export interface KnownService {
  readonly id: string;
  readonly task: string;
  readonly category: string;
  readonly url: string;
  readonly priceUsd: string;
  readonly network: string;
  readonly payTo: string;
}

export function knownService(service: Service | null): KnownService {
  if (service === null) return NOBODY;
  const { id, tasks, category, endpoint, price, network, payTo } = service;
  return {
    id,
    task: tasks[0] ?? category,
    category,
    url: endpoint.href,
    priceUsd: formatUsd(price),
    network: network.network,
    payTo: payTo ?? SELLER,
  };
}

const NOBODY: KnownService = {
  id: 'plain-weather',
  task: 'weather',
  category: 'weather',
  url: ENDPOINT,
  priceUsd: '0.01',
  network: NETWORK,
  payTo: SELLER,
};

/** The parameters with values of that service. */
export function exampled(parameters: readonly Parameter[], known: KnownService): readonly Parameter[] {
  const values: ReadonlyMap<string, string> = new Map([
    ['url', known.url],
    ['task', known.task],
    ['endpoint', known.id],
    ['category', known.category],
    ['query', known.category],
    ['claimed_price', known.priceUsd],
    ['max_price', known.priceUsd],
    ['pay_to', known.payTo],
    ['network', known.network],
  ]);
  return parameters.map((parameter) => {
    const { name, example } = parameter;
    const value = values.get(name) ?? example;
    return { ...parameter, example: typeof example === 'number' ? Number(value) : value };
  });
}
