import { receiptKind } from '../../core/receipt/receipt-id.ts';
import type { Withdrawal } from '../../core/statement/withdrawal-stub.ts';
import type { LogReader } from '../../ports/log/transparency-log.ts';
import type { Withdrawals } from '../../ports/log/withdrawals.ts';

export interface MissingPorts {
  readonly withdrawals: Pick<Withdrawals, 'find'>;
  readonly transparencyLog: Pick<LogReader, 'place'>;
}

/** Retired: the log has the receipt, and the store no longer does. */
export type MissingReceipt =
  | { readonly kind: 'withdrawn'; readonly withdrawal: Withdrawal }
  | { readonly kind: 'retired' }
  | { readonly kind: 'unknown' };

/** Why the store has no receipt with this id. */
export async function missingReceipt(
  id: string,
  { withdrawals, transparencyLog }: MissingPorts,
): Promise<MissingReceipt> {
  const kind = receiptKind(id);
  if (kind === null) return { kind: 'unknown' };
  const withdrawal = await withdrawals.find(id);
  if (withdrawal !== null) return { kind: 'withdrawn', withdrawal };
  // Receipts of a crawl are not retired, and the log has no entry of their own.
  if (kind === 'crawl' || (await transparencyLog.place(id)) === null) return { kind: 'unknown' };
  return { kind: 'retired' };
}
