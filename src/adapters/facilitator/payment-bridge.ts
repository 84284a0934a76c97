import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { exactRequirement } from '../../core/x402/exact-requirement.ts';
import type { Payment } from '../../core/x402/payment-payload.ts';
import { type PaymentRefusal, termsRefusal } from '../../core/x402/payment-refusal.ts';
import type { Charge } from '../../ports/facilitator.ts';

/** What a facilitator is asked about. */
export interface Question {
  readonly payload: PaymentPayload;
  readonly requirements: PaymentRequirements;
}

export type Bridged =
  | { readonly kind: 'bridged'; readonly question: Question }
  | { readonly kind: 'refused'; readonly reason: PaymentRefusal };

/**
 * A payment of either version as version 2, for the current charge: the signature is the same in both. Other members of the
 * buyer's document are dropped, and what can be checked here is not left to the facilitator.
 */
export function bridgePayment(payment: Payment, charge: Charge): Bridged {
  const { authorization, signature } = payment;
  const reason = termsRefusal(payment, charge);
  if (reason !== null) return { kind: 'refused', reason };
  const requirements = exactRequirement(charge);
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const payload = {
    signature,
    authorization: {
      from,
      to,
      value: value.toString(),
      validAfter: validAfter.toString(),
      validBefore: validBefore.toString(),
      nonce,
    },
  };
  return {
    kind: 'bridged',
    question: { payload: { x402Version: 2, accepted: requirements, payload }, requirements },
  };
}
