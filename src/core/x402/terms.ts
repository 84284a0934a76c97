import { type MicroUsd, microUsd } from '../money/micro-usd.ts';
import { isSameAddress } from './address.ts';
import type { DeadlineSource } from './deadline.ts';
import { type Caip2, mainnetOf } from './networks.ts';
import type { Offer } from './offer.ts';

/** The only payment that may be signed. */
export interface Terms {
  readonly scheme: 'exact';
  readonly network: Caip2;
  /** The canonical USDC of the network, in its published spelling. */
  readonly asset: string;
  /** Atomic units, which for USDC are micro-USD. */
  readonly amountAtomic: MicroUsd;
  readonly payTo: string;
  readonly deadline: Date;
  readonly deadlineSource: DeadlineSource;
  /** A client signs for at most so long (gap G96); null in receipts from before that rule. */
  readonly maxTimeoutSeconds: number | null;
}

/** What is hashed: network|asset|amount_atomic|pay_to, all lower-case. */
export function termsText({
  network,
  asset,
  amountAtomic,
  payTo,
}: Pick<Terms, 'network' | 'asset' | 'amountAtomic' | 'payTo'>): string {
  return [network, asset, amountAtomic, payTo].join('|').toLowerCase();
}

/** An amount of canonical USDC in dollars; null for any other asset, whose decimals only the seller claims. */
export function quotedPrice(offer: Offer): MicroUsd | null {
  return isCanonicalUsdc(offer) ? microUsd(offer.amountAtomic) : null;
}

export function isCanonicalUsdc({ network, asset }: Pick<Offer, 'network' | 'asset'>): boolean {
  const mainnet = mainnetOf(network);
  return mainnet !== null && isSameAddress(asset, mainnet.usdc);
}
