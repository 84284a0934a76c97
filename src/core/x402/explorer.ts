import type { Caip2 } from './networks.ts';

/** Where people look a transaction up, by network. */
const TRANSACTION_PAGES: ReadonlyMap<string, string> = new Map([
  ['eip155:8453', 'https://basescan.org/tx/'],
  ['eip155:1', 'https://etherscan.io/tx/'],
  ['eip155:10', 'https://optimistic.etherscan.io/tx/'],
  ['eip155:137', 'https://polygonscan.com/tx/'],
  ['eip155:42161', 'https://arbiscan.io/tx/'],
  ['eip155:43114', 'https://snowtrace.io/tx/'],
  ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'https://solscan.io/tx/'],
]);

export function explorerUrl(network: Caip2, tx: string): string | null {
  const page = TRANSACTION_PAGES.get(network);
  return page === undefined ? null : page + encodeURIComponent(tx);
}
