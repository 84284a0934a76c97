import type { SpendingLimit } from './ledger.ts';
import { type Purchase, type PurchaseState, UNSPENT_STATES } from './purchase.ts';

/** Whether this limit counts this purchase. */
export function countsTowards({ since, host, task }: SpendingLimit, purchase: Purchase): boolean {
  return (
    !UNSPENT.has(purchase.state) &&
    (since === undefined || purchase.createdAt.getTime() >= since.getTime()) &&
    (host === undefined || purchase.host === host) &&
    (task === undefined || purchase.task === task)
  );
}

const UNSPENT: ReadonlySet<PurchaseState> = new Set(UNSPENT_STATES);
