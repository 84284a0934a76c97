import { isSameAddress } from './address.ts';
import { isSameText } from './offer.ts';
import type { Authorization, Payment } from './payment-payload.ts';
import { isJsonObject, member } from './read-json.ts';
import { BASE, BASE_USDC } from './usdc-on-base.ts';

/** Why a payment is refused: stable codes in the `error` of a 402. */
export type PaymentRefusal =
  | 'insufficient_funds'
  | 'bad_signature'
  | 'expired'
  | 'not_yet_valid'
  | 'already_used'
  | 'wrong_amount'
  | 'wrong_payee'
  | 'wrong_network'
  | 'terms_mismatch'
  /** Our own key would pay for the gas, and the payer's contract decides how much (gap L90). */
  | 'payer_has_code'
  | 'gas_too_high'
  /** Its transaction failed on the chain; it is never sent again. */
  | 'failed_on_chain'
  | 'refused';

/** The exact amount of USDC on Base, and its payee. */
export interface Due {
  readonly amount: bigint;
  readonly payTo: string;
}

/** Checks that need no other party; `exact` means equal. Null when the payment passes. */
export function termsRefusal(payment: Payment, due: Due): PaymentRefusal | null {
  const { network, scheme, authorization } = payment;
  if (network !== BASE) return 'wrong_network';
  if (scheme !== 'exact') return 'refused';
  if (!isSameAddress(authorization.to, due.payTo)) return 'wrong_payee';
  if (authorization.value !== due.amount) return 'wrong_amount';
  return isAccepted(payment, due) ? null : 'terms_mismatch';
}

/** Only version 2 repeats the offer; if it was changed, the signature is for something else. */
function isAccepted({ x402Version, document }: Payment, { amount, payTo }: Due): boolean {
  if (x402Version === 1) return true;
  const accepted = member(document, 'accepted');
  if (!isJsonObject(accepted)) return false;
  return (
    member(accepted, 'amount') === amount.toString() &&
    isSameText(member(accepted, 'asset'), BASE_USDC) &&
    isSameText(member(accepted, 'payTo'), payTo)
  );
}

/** A settlement takes a moment: with less time left it would only burn gas. */
const SETTLE_SECONDS = 6n;
/** A quote is valid for minutes; a signature valid for years would keep a lost settlement open that long. */
const LIFE_MAX_SECONDS = 86_400n;

export function validityRefusal(
  { validAfter, validBefore }: Authorization,
  now: Date,
): PaymentRefusal | null {
  const seconds = BigInt(Math.floor(now.getTime() / 1_000));
  if (validBefore > seconds + LIFE_MAX_SECONDS) return 'refused';
  if (validBefore < seconds + SETTLE_SECONDS) return 'expired';
  return validAfter > seconds ? 'not_yet_valid' : null;
}

/**
 * It can no longer be settled: the chain's time is past its deadline, with some margin for a node behind a load balancer, and
 * the chain had not seen it.
 */
export function isLongExpired({ validBefore }: Authorization, chainTime: Date): boolean {
  return validBefore + EXPIRY_SLACK_SECONDS < BigInt(Math.floor(chainTime.getTime() / 1_000));
}

const EXPIRY_SLACK_SECONDS = 60n;
