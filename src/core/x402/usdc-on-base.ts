import { type Caip2, MAINNETS } from './networks.ts';

/** What this service itself is paid in. */
export const [BASE, BASE_USDC] = usdcOnBase();

function usdcOnBase(): readonly [Caip2, string] {
  const base = MAINNETS.find(({ name }) => name === 'base');
  if (base === undefined) throw new Error('the table of networks has no Base');
  return [base.network, base.usdc];
}
