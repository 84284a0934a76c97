import type { ListedEndpoint } from '../../src/core/crawl/listed-endpoint.ts';
import type { ListedInput } from '../../src/core/input/listed-input.ts';
import { microUsd } from '../../src/core/money/micro-usd.ts';
import { parseTargetUrl, type TargetUrl } from '../../src/core/url/target-url.ts';
import type { Claim } from '../../src/core/verdict/expected-terms.ts';
import { type Caip2, parseNetwork } from '../../src/core/x402/networks.ts';
import { BASE, PAYEE } from './challenge.ts';

export function target(url: string): TargetUrl {
  const reading = parseTargetUrl(url);
  if (reading.kind === 'invalid') throw new Error(`not a target URL: ${reading.fault}`);
  return reading.target;
}

export function network(text: string): Caip2 {
  const parsed = parseNetwork(text);
  if (parsed === null) throw new Error(`not a network: ${text}`);
  return parsed;
}

/** What `ENTRY` asks: one cent on Base. */
export const LISTED: Claim = { price: microUsd(10_000n), payTo: PAYEE, network: network(BASE) };

/** What a listing says about the input of its endpoint: nothing but these. */
export function listedInput(changes: Partial<ListedInput>): ListedInput {
  return { method: null, example: null, built: null, path: [], required: [], ...changes };
}

/** A listing of one cent on Base. */
export function listed(url: string, changes: Partial<ListedEndpoint> = {}): ListedEndpoint {
  const list = changes.list ?? 'first-list';
  return {
    target: target(url),
    method: 'GET',
    claim: LISTED,
    input: null,
    list,
    listedIn: [list],
    ...changes,
  };
}
