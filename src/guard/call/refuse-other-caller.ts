import { GuardRefused } from '../guard-refused.ts';
import type { Purchase } from '../ledger/purchase.ts';
import type { Call } from './call.ts';

/** With one user's payment a seller may hand over that user's answer, or deliver to the account of another. */
export function isSameCaller({ credentials }: Call, purchase: Purchase): boolean {
  return credentials === purchase.credentials;
}

export function refuseOtherCaller(call: Call, purchase: Purchase): void {
  if (isSameCaller(call, purchase)) return;
  throw new GuardRefused('bought_already', { purchaseId: purchase.id, words: OTHER_CALLER });
}

const OTHER_CALLER =
  'The same request is being paid for with other credentials. Name a new purchase to pay for this one as well.';
