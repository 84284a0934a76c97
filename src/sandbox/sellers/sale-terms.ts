import { type MicroUsd, microUsd } from '../../core/money/micro-usd.ts';
import { MAINNETS } from '../../core/x402/networks.ts';

/** What a call costs, as a seller asks for it or as a list claims it. */
export interface SaleTerms {
  readonly amount: MicroUsd;
  /** CAIP-2. */
  readonly network: string;
  readonly asset: string;
  readonly payTo: string;
  /** How long a buyer has to pay. */
  readonly seconds: number;
}

/** The account of all honest sellers, and that of a stranger. Nobody in the sandbox spends what comes in there. */
export const SHOP = '0x1Ad8F6c5c90e085eD4260528fa008C0C68A6c60F';
export const STRANGER = '0xE4486EdC9A7572aBC7E1fd071B736F80A4c7AE9A';

/** So many cents of USDC on Base. */
export function cents(count: bigint): SaleTerms {
  return {
    amount: microUsd(count * 10_000n),
    network: 'eip155:8453',
    asset: usdcOn('eip155:8453'),
    payTo: SHOP,
    seconds: 60,
  };
}

export function usdcOn(network: string): string {
  const mainnet = MAINNETS.find((known) => known.network === network);
  if (mainnet === undefined) throw new Error(`${network} is not in the table of networks`);
  return mainnet.usdc;
}
