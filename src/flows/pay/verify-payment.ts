import type { Counter } from '../../core/access/quota.ts';
import type { Payment } from '../../core/x402/payment-payload.ts';
import type { CounterStore } from '../../ports/counter-store.ts';
import type { Charge, Facilitator, SignatureCheck, Verification } from '../../ports/facilitator.ts';

export interface VerifyPorts {
  readonly facilitator: Pick<Facilitator, 'verify'>;
  readonly signatures: SignatureCheck;
  readonly counters: Pick<CounterStore, 'reserve' | 'giveBack'>;
}

/** Too many payments of this network could not be verified; the facilitator was not asked. */
export interface FailureLimit {
  readonly kind: 'failure_limit';
}

/**
 * Asks the facilitator only about signatures that may be good (gap L91). A payer's own signature is always asked about: a
 * stranger in the same network must not keep anybody from paying. One that cannot be judged here needs room in the budget.
 */
export async function verifyPayment(
  payment: Payment,
  due: Charge,
  failures: readonly Counter[],
  ports: VerifyPorts,
): Promise<Verification | FailureLimit> {
  const { facilitator, signatures, counters } = ports;
  switch (await signatures.signedBy(payment)) {
    case 'another': {
      const { granted } = await counters.reserve(failures);
      return granted ? { kind: 'invalid', reason: 'bad_signature' } : { kind: 'failure_limit' };
    }
    case 'payer': {
      const verification = await facilitator.verify(payment, due);
      if (isFailure(verification)) await counters.reserve(failures);
      return verification;
    }
    case 'not_known':
      return verifyWithin(failures, () => facilitator.verify(payment, due), counters);
  }
}

/** Reserved before the call, so that many at once cannot exceed the budget; given back unless the payment failed. */
async function verifyWithin(
  failures: readonly Counter[],
  verify: () => Promise<Verification>,
  counters: VerifyPorts['counters'],
): Promise<Verification | FailureLimit> {
  if (!(await counters.reserve(failures)).granted) return { kind: 'failure_limit' };
  let failed = false;
  try {
    const verification = await verify();
    failed = isFailure(verification);
    return verification;
  } finally {
    if (!failed) for (const counter of failures) await counters.giveBack(counter);
  }
}

/** A payment that was used is no forgery: another request may have settled it. */
function isFailure(verification: Verification): boolean {
  return verification.kind === 'invalid' && verification.reason !== 'already_used';
}
