import { formatUsd } from '../money/micro-usd.ts';
import type { Claim } from '../verdict/expected-terms.ts';
import type { ProbeMethod } from '../verdict/probe-outcome.ts';
import { isSameAddress } from '../x402/address.ts';
import { mainnetOf } from '../x402/networks.ts';
import type { Offer } from '../x402/offer.ts';
import { quotedPrice } from '../x402/terms.ts';

export type DiffField = 'price' | 'network' | 'asset' | 'payee' | 'method';

/** One line of "listed against live". Unknown means that one side says nothing. */
export interface DiffRow {
  readonly field: DiffField;
  readonly claimed: string | null;
  readonly live: string | null;
  readonly state: 'same' | 'different' | 'unknown';
}

export interface DiffSides {
  readonly claim: Claim & { readonly method: ProbeMethod | null };
  readonly offer: Offer | null;
  readonly method: ProbeMethod;
}

/** A listing names a network and means its USDC, so that is what the live asset is held against. */
export function diffTerms({ claim, offer, method }: DiffSides): readonly DiffRow[] {
  const quoted = offer === null ? null : quotedPrice(offer);
  const usdc = mainnetOf(claim.network)?.usdc ?? null;
  return [
    row(
      'price',
      claim.price === null ? null : formatUsd(claim.price),
      quoted === null ? null : formatUsd(quoted),
    ),
    row('network', claim.network, offer?.network ?? null),
    row('asset', usdc, offer?.asset ?? null),
    row('payee', claim.payTo, offer?.payTo ?? null),
    row('method', claim.method, method),
  ];
}

function row(field: DiffField, claimed: string | null, live: string | null): DiffRow {
  if (claimed === null || live === null) return { field, claimed, live, state: 'unknown' };
  // Hexadecimal addresses in any letter case are one; every other text is compared as it is.
  return { field, claimed, live, state: isSameAddress(claimed, live) ? 'same' : 'different' };
}
