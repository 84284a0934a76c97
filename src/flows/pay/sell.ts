import { presenterKey } from '../../core/access/caller-key.ts';
import type { KeyedSlots } from '../../core/concurrency/keyed-slots.ts';
import type { MicroUsd } from '../../core/money/micro-usd.ts';
import { failedPayments } from '../../core/payment/failed-payments.ts';
import { paymentKey } from '../../core/x402/paid-request.ts';
import type { PaymentReading } from '../../core/x402/payment-payload.ts';
import { boughtBefore, paidRequest } from './bought-before.ts';
import { type Charged, type ChargePorts, charge, type Order, type Parties } from './charge.ts';

export interface SellPorts extends ChargePorts {
  /** The wallet that receives; null when the operator has set none, and then nothing can be bought (gap G66). */
  readonly payTo: string | null;
  /** For keyed hashes of callers. */
  readonly secret: string;
  /** Bounds the copies of one payment in progress (gap L91). */
  readonly copies: KeyedSlots;
}

/** Who asks, and what was offered in payment. */
export interface Buyer {
  readonly address: string;
  readonly offered: PaymentReading;
}

export interface Sale<Result, Goods> extends Order<Result, Goods> {
  /** Serves a free use; answers null when none is left. Null where nothing is free. */
  readonly free: (() => Promise<Result | null>) | null;
}

/** How a sale ends when it ends with the payment. */
export type SaleOutcome =
  | Charged
  /** `malformed`: a payment was sent, but it cannot be read. */
  | { readonly kind: 'payment_required'; readonly price: MicroUsd; readonly malformed: boolean }
  | { readonly kind: 'no_wallet' }
  | { readonly kind: 'too_many_copies' }
  | { readonly kind: 'two_payments' }
  | { readonly kind: 'bad_identifier' };

/** One of a few copies of a payment at a time: the others would wait for it, and take the place of other callers. */
export async function sell<Result, Goods>(
  sale: Sale<Result, Goods>,
  buyer: Buyer,
  ports: SellPorts,
): Promise<Result | SaleOutcome> {
  if (buyer.offered.kind !== 'payment') return sellOnce(sale, buyer, ports);
  const leave = ports.copies.take(paymentKey(buyer.offered.payment));
  if (leave === null) return { kind: 'too_many_copies' };
  try {
    return await sellOnce(sale, buyer, ports);
  } finally {
    leave();
  }
}

/**
 * Everything on sale goes this way: bought before, then free, then charged. A payment counts only when nothing is free
 * (gap G07), except that a payment brings back what it has bought (gap G63).
 */
async function sellOnce<Result, Goods>(
  sale: Sale<Result, Goods>,
  { address, offered }: Buyer,
  ports: SellPorts,
): Promise<Result | SaleOutcome> {
  const { payTo, secret } = ports;
  if (sale.free !== null) {
    if (payTo !== null && offered.kind === 'payment') {
      const bought = await boughtBefore(
        paidRequest(sale, offered.payment, presenterKey(address, secret)),
        ports,
      );
      if (bought !== null) return bought;
    }
    const free = await sale.free();
    if (free !== null) return free;
  }
  // No quote, which may need a probe, for a price that cannot be paid.
  if (payTo === null) return { kind: 'no_wallet' };
  if (offered.kind === 'payment')
    return charge(sale, offered.payment, partiesOf(address, payTo, ports), ports);
  if (offered.kind === 'unreadable') {
    const { fault } = offered;
    if (fault === 'two_payments' || fault === 'bad_identifier') return { kind: fault };
  }
  const quote = await sale.quote(null);
  if (quote.kind === 'nothing_sold') return quote.result;
  return { kind: 'payment_required', price: quote.price, malformed: offered.kind === 'unreadable' };
}

function partiesOf(address: string, payTo: string, { secret, clock }: SellPorts): Parties {
  const failures = failedPayments(address, secret, clock.now());
  return { payTo, from: presenterKey(address, secret), failures };
}
