import { type Caip2, parseNetwork } from '../x402/networks.ts';

/** Names that lists use and x402 does not. One list abbreviates Base as 'BSE'; it is not BNB chain. */
const LIST_NAMES: ReadonlyMap<string, string> = new Map([
  ['bse', 'base'],
  ['eth', 'ethereum'],
  ['op', 'optimism'],
  ['op-mainnet', 'optimism'],
  ['matic', 'polygon'],
  ['arb', 'arbitrum'],
  ['arbitrum-one', 'arbitrum'],
  ['avax', 'avalanche'],
  ['avalanche-c', 'avalanche'],
  ['sol', 'solana'],
  ['solana-mainnet-beta', 'solana'],
]);

const NAME_MAX_CHARS = 64;
const NETWORKS_MAX = 32;

/**
 * A network as lists write it: a name in any letter case, CAIP-2, a chain id, or a list of these. Several networks count as
 * none: it is unknown which one the endpoint takes, and a wrong claim would cause a wrong skip.
 */
export function readListedNetwork(value: unknown): Caip2 | null {
  if (!Array.isArray(value)) return oneNetwork(value);
  const networks = new Set(value.slice(0, NETWORKS_MAX).map(oneNetwork));
  const [only = null] = networks;
  return networks.size === 1 ? only : null;
}

function oneNetwork(value: unknown): Caip2 | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? parseNetwork(`eip155:${value}`) : null;
  if (typeof value !== 'string' || value.length > NAME_MAX_CHARS) return null;
  const text = value.trim();
  if (/^[0-9]+$/.test(text)) return parseNetwork(`eip155:${text}`);
  const name = text.toLowerCase().replace(/[ _]+/g, '-');
  return parseNetwork(LIST_NAMES.get(name) ?? text) ?? parseNetwork(name);
}
