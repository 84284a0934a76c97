import { isSameAddress } from './address.ts';
import type { Authorization, Payment } from './payment-payload.ts';
import { isJsonObject, member } from './read-json.ts';
import { BASE, BASE_USDC } from './usdc-on-base.ts';

/** Why a payment is not taken: stable codes, which buyers read in the `error` of a 402. */
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
  | 'refused';

/** What has to be paid, and to whom: USDC on Base, to the last unit. */
export interface Due {
  readonly amount: bigint;
  readonly payTo: string;
}

/** What can be seen without asking anybody: `exact` means equal. Null when nothing speaks against the payment. */
export function termsRefusal(payment: Payment, due: Due): PaymentRefusal | null {
  const { network, scheme, authorization } = payment;
  if (network !== BASE) return 'wrong_network';
  if (scheme !== 'exact') return 'refused';
  if (!isSameAddress(authorization.to, due.payTo)) return 'wrong_payee';
  if (authorization.value !== due.amount) return 'wrong_amount';
  return isAccepted(payment, due) ? null : 'terms_mismatch';
}

/** Only version 2 repeats the offer; whoever changed it there signed something else than it says. */
function isAccepted({ x402Version, document }: Payment, { amount, payTo }: Due): boolean {
  if (x402Version === 1) return true;
  const accepted = member(document, 'accepted');
  if (!isJsonObject(accepted)) return false;
  const [asset, payee] = [member(accepted, 'asset'), member(accepted, 'payTo')];
  return (
    member(accepted, 'amount') === amount.toString() &&
    typeof asset === 'string' &&
    isSameAddress(asset, BASE_USDC) &&
    typeof payee === 'string' &&
    isSameAddress(payee, payTo)
  );
}

/** A settlement needs a moment: what runs out sooner would only burn gas. */
const SETTLE_SECONDS = 6n;
/** A quote is good for minutes; a signature that is good for years would keep a lost settlement open as long. */
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
 * Nobody can settle it any more: the chain itself was past its time, with some room for a node that asks two others, and still
 * had not seen it.
 */
export function isLongExpired({ validBefore }: Authorization, chainTime: Date): boolean {
  return validBefore + EXPIRY_SLACK_SECONDS < BigInt(Math.floor(chainTime.getTime() / 1_000));
}

const EXPIRY_SLACK_SECONDS = 60n;
