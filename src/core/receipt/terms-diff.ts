import { formatUsd } from '../money/micro-usd.ts';
import type { Claim } from '../verdict/expected-terms.ts';
import type { ProbeMethod } from '../verdict/probe-outcome.ts';
import { isSameAddress } from '../x402/address.ts';
import { mainnetOf } from '../x402/networks.ts';
import type { Offer } from '../x402/offer.ts';
import { quotedPrice } from '../x402/terms.ts';
import type { CrawlReceipt } from './crawl-receipt.ts';

export type DiffField = 'price' | 'network' | 'asset' | 'payee' | 'method';

/** One row of "listed against live". Unknown: one side has no value. */
export interface DiffRow {
  readonly field: DiffField;
  readonly claimed: string | null;
  readonly live: string | null;
  readonly state: 'same' | 'different' | 'unknown';
}

type Claimed = Claim & { readonly method: ProbeMethod | null };

export interface DiffSides {
  readonly claim: Claimed;
  readonly offer: Offer | null;
  readonly method: ProbeMethod;
}

/** What is known of the live side. */
interface LiveTerms extends Claim {
  readonly asset: string | null;
  readonly method: ProbeMethod;
}

export function diffTerms({ claim, offer, method }: DiffSides): readonly DiffRow[] {
  const price = offer === null ? null : quotedPrice(offer);
  const { network = null, asset = null, payTo = null } = offer ?? {};
  return diffRows(claim, { price, network, asset, payTo, method });
}

/** From a crawl receipt: it keeps no token, but only canonical USDC has a price. */
export function diffCrawl(receipt: CrawlReceipt): readonly DiffRow[] {
  const { claimedPrice, listedPayTo, listedNetwork, quotedPrice: price, payTo, network, method } = receipt;
  const claim = { price: claimedPrice, payTo: listedPayTo, network: listedNetwork, method };
  const asset = price === null ? null : (mainnetOf(network)?.usdc ?? null);
  return diffRows(claim, { price, network, asset, payTo, method });
}

/** A listing names a network and means its USDC, so the live asset is compared with that. */
function diffRows(claim: Claimed, live: LiveTerms): readonly DiffRow[] {
  const usdc = mainnetOf(claim.network)?.usdc ?? null;
  return [
    row(
      'price',
      claim.price === null ? null : formatUsd(claim.price),
      live.price === null ? null : formatUsd(live.price),
    ),
    row('network', claim.network, live.network),
    row('asset', usdc, live.asset),
    row('payee', claim.payTo, live.payTo),
    row('method', claim.method, live.method),
  ];
}

function row(field: DiffField, claimed: string | null, live: string | null): DiffRow {
  if (claimed === null || live === null) return { field, claimed, live, state: 'unknown' };
  // Hexadecimal addresses are compared without letter case, everything else exactly.
  return { field, claimed, live, state: isSameAddress(claimed, live) ? 'same' : 'different' };
}
