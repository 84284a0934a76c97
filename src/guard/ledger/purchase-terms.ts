import { type MicroUsd, microUsd } from '../../core/money/micro-usd.ts';
import { parseNetwork } from '../../core/x402/networks.ts';
import { type Terms, termsText } from '../../core/x402/terms.ts';
import { sha256 } from '../sha256.ts';
import type { PurchaseTerms } from './purchase.ts';

/** What identifies a payment; when it has to be made is no part of it. */
export type PaymentTerms = Pick<Terms, 'network' | 'asset' | 'amountAtomic' | 'payTo'>;

export function keepTerms({ network, asset, amountAtomic, payTo }: PaymentTerms): PurchaseTerms {
  return { network, asset, amount: amountAtomic.toString(), payTo };
}

/** Null when the ledger holds something that we never wrote. */
export function readTerms({ network, asset, amount, payTo }: PurchaseTerms): PaymentTerms | null {
  const parsed = parseNetwork(network);
  return parsed === null ? null : { network: parsed, asset, amountAtomic: amountOf({ amount }), payTo };
}

export function amountOf({ amount }: Pick<PurchaseTerms, 'amount'>): MicroUsd {
  return microUsd(BigInt(amount));
}

/** The same hash as in a receipt of the service. */
export function termsSha256Of(terms: PaymentTerms): string {
  return sha256(termsText(terms));
}
