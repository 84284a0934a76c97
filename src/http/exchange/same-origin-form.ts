import type { Exchange } from './exchange.ts';

/**
 * Whether a form was sent from a page of ours. Another site must not be able to spend a visitor's free check (gap L40). A program
 * that is no browser says nothing about where it comes from, and has a share of its own to spend.
 */
export function isOwnForm({ header }: Pick<Exchange, 'header'>): boolean {
  const site = header('sec-fetch-site');
  if (site !== null) return site === 'same-origin' || site === 'none';
  const origin = header('origin');
  return origin === null || (URL.canParse(origin) && new URL(origin).host === header('host'));
}
