import { type Caip2, MAINNETS } from './networks.ts';

/** What this service itself is paid in. */
export const [BASE, BASE_USDC] = usdcOnBase();

export const BASE_CHAIN_ID = Number(BASE.slice('eip155:'.length));

/** The EIP-712 domain of USDC: without it a wallet cannot sign. */
export const USDC_DOMAIN = { name: 'USD Coin', version: '2' };

function usdcOnBase(): readonly [Caip2, string] {
  const base = MAINNETS.find(({ name }) => name === 'base');
  if (base === undefined) throw new Error('the table of networks has no Base');
  return [base.network, base.usdc];
}
