import { type MicroUsd, microUsd } from '../../core/money/micro-usd.ts';
import { MAINNETS } from '../../core/x402/networks.ts';
import { BASE, BASE_USDC } from '../../core/x402/usdc-on-base.ts';

/** The terms of a call, as a seller asks or a list claims. */
export interface SaleTerms {
  readonly amount: MicroUsd;
  /** CAIP-2. */
  readonly network: string;
  readonly asset: string;
  readonly payTo: string;
  /** Validity of the terms. */
  readonly seconds: number;
}

/** The account of all honest sellers, and a stranger's. Nothing in the sandbox spends from either. */
export const SHOP = '0x1Ad8F6c5c90e085eD4260528fa008C0C68A6c60F';
export const STRANGER = '0xE4486EdC9A7572aBC7E1fd071B736F80A4c7AE9A';

/** Terms in cents of USDC on Base. */
export function cents(count: bigint): SaleTerms {
  return {
    amount: microUsd(count * 10_000n),
    network: BASE,
    asset: BASE_USDC,
    payTo: SHOP,
    seconds: 60,
  };
}

export function usdcOn(network: string): string {
  const mainnet = MAINNETS.find((known) => known.network === network);
  if (mainnet === undefined) throw new Error(`${network} is not in the table of networks`);
  return mainnet.usdc;
}
