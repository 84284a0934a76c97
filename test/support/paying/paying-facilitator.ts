import type { Payment } from '../../../src/core/x402/payment-payload.ts';
import type { Facilitator } from '../../../src/ports/facilitator.ts';

/** A facilitator that counts what it is asked, and lets a test step in between. */
export interface CountedFacilitator extends Facilitator {
  readonly calls: { verify: number; settle: number };
  /** Runs before every verification; the number tells the first from the next. */
  beforeVerify: (nth: number) => Promise<void>;
  /** Runs after every verification, before its answer is given. */
  afterVerify: (payment: Payment) => Promise<void>;
  /** Runs before every settlement. */
  beforeSettle: (payment: Payment) => Promise<void>;
  /** Forgets the counts and the steps in between. */
  reset(): void;
}

const nothing = async () => {};

export function countedFacilitator(real: Facilitator): CountedFacilitator {
  const counted: CountedFacilitator = {
    calls: { verify: 0, settle: 0 },
    beforeVerify: nothing,
    afterVerify: nothing,
    beforeSettle: nothing,
    async verify(payment, charge) {
      counted.calls.verify += 1;
      await counted.beforeVerify(counted.calls.verify);
      const verification = await real.verify(payment, charge);
      await counted.afterVerify(payment);
      return verification;
    },
    async settle(payment, charge, maySend) {
      counted.calls.settle += 1;
      await counted.beforeSettle(payment);
      return real.settle(payment, charge, maySend);
    },
    reset() {
      counted.calls.verify = 0;
      counted.calls.settle = 0;
      counted.beforeVerify = nothing;
      counted.afterVerify = nothing;
      counted.beforeSettle = nothing;
    },
  };
  return counted;
}
