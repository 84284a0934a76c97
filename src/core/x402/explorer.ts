import type { Caip2 } from './networks.ts';
import { BASE } from './usdc-on-base.ts';

interface Explorer {
  readonly base: string;
  /** The path of its address pages. */
  readonly addresses: 'address' | 'account';
}

/** Block explorers, by network. */
const EXPLORERS: ReadonlyMap<string, Explorer> = new Map<string, Explorer>([
  [BASE, { base: 'https://basescan.org', addresses: 'address' }],
  ['eip155:1', { base: 'https://etherscan.io', addresses: 'address' }],
  ['eip155:10', { base: 'https://optimistic.etherscan.io', addresses: 'address' }],
  ['eip155:137', { base: 'https://polygonscan.com', addresses: 'address' }],
  ['eip155:42161', { base: 'https://arbiscan.io', addresses: 'address' }],
  ['eip155:43114', { base: 'https://snowtrace.io', addresses: 'address' }],
  ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', { base: 'https://solscan.io', addresses: 'account' }],
]);

/** The page of a transaction. */
export function explorerUrl(network: Caip2, tx: string): string | null {
  const explorer = EXPLORERS.get(network);
  return explorer === undefined ? null : `${explorer.base}/tx/${encodeURIComponent(tx)}`;
}

/** The page of a wallet or a contract. */
export function addressPage(network: Caip2, address: string): string | null {
  const explorer = EXPLORERS.get(network);
  return explorer === undefined
    ? null
    : `${explorer.base}/${explorer.addresses}/${encodeURIComponent(address)}`;
}
