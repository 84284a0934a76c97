import { isDeepStrictEqual } from 'node:util';
import { microUsd } from '../../../src/core/money/micro-usd.ts';
import type { Payment, PaymentReading } from '../../../src/core/x402/payment-payload.ts';
import { member } from '../../../src/core/x402/read-json.ts';
import type { Facilitator } from '../../../src/ports/facilitator.ts';
import type { Entry } from './sellers/seller-terms.ts';

/** Moves the money for one of these entries; answers why not. */
export async function settleEntry(
  facilitator: Facilitator,
  reading: PaymentReading,
  entries: readonly Entry[],
): Promise<string | null> {
  if (reading.kind !== 'payment') return 'payment_malformed';
  const entry = entries.find((one) => isFor(reading.payment, one));
  if (entry === undefined) return 'payment_not_for_what_was_shown';
  const payment = withText(reading.payment, entry);
  const charge = { amount: microUsd(BigInt(entry.amount)), payTo: entry.payTo };
  const verified = await facilitator.verify(payment, charge);
  if (verified.kind !== 'valid') return verified.kind === 'invalid' ? verified.reason : verified.kind;
  const settled = await facilitator.settle(payment, charge, async () => true);
  return settled.kind === 'settled' ? null : settled.kind;
}

/** In version 2 the buyer repeats the entry it pays, and servers of the SDK compare every member of it. */
function isFor({ x402Version, authorization, document }: Payment, entry: Entry): boolean {
  if (x402Version === 2) return isDeepStrictEqual(member(document, 'accepted'), entry);
  return authorization.to === entry.payTo.toLowerCase() && authorization.value === BigInt(entry.amount);
}

/** Facilitators of the SDK read a number as well; the client that asks ours wants text. */
function withText(payment: Payment, entry: Entry): Payment {
  const { x402Version, document } = payment;
  if (x402Version === 1) return payment;
  return { ...payment, document: { ...document, accepted: { ...entry, amount: String(entry.amount) } } };
}
