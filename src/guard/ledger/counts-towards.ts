import type { SpendingLimit } from './ledger.ts';
import { type Purchase, type PurchaseState, UNSPENT_STATES } from './purchase.ts';

/** Whether this limit counts this purchase. */
export function countsTowards({ since, host, task }: SpendingLimit, purchase: Purchase): boolean {
  return (
    (host === undefined || purchase.host === host) &&
    (task === undefined || purchase.task === task) &&
    (since === undefined || purchase.createdAt.getTime() >= since.getTime()) &&
    !UNSPENT.has(purchase.state)
  );
}

const UNSPENT: ReadonlySet<PurchaseState> = new Set(UNSPENT_STATES);
