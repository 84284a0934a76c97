import type { PaymentLedger } from '../../../src/ports/payment-ledger.ts';

export interface Fault {
  readonly method: keyof PaymentLedger;
  /** Nothing is stored, or all is and only the word of it is lost. */
  readonly when: 'before' | 'after';
}

/** A ledger that fails once, at this. */
export function failingOnce(ledger: PaymentLedger, { method, when }: Fault): PaymentLedger {
  let isWell = false;
  const failing = async (...values: unknown[]): Promise<unknown> => {
    const fails = !isWell;
    isWell = true;
    if (fails && when === 'before') throw new Error('the disk is full');
    const answer: unknown = await Reflect.apply(ledger[method], ledger, values);
    if (fails) throw new Error('the connection was lost');
    return answer;
  };
  return { ...ledger, [method]: failing };
}
