import type { Correction } from '../../core/statement/correction.ts';
import type { Withdrawal } from '../../core/statement/withdrawal-stub.ts';
import type { Corrections, StoredCorrection } from '../../ports/log/corrections.ts';
import type { Withdrawals } from '../../ports/log/withdrawals.ts';
import { type ReceiptPorts, receiptById } from '../read/read-receipts.ts';

export interface CorrectPorts extends Pick<ReceiptPorts, 'receipts' | 'runs'> {
  readonly withdrawals: Pick<Withdrawals, 'find'>;
  readonly corrections: Corrections;
}

export type Corrected =
  | { readonly kind: 'corrected'; readonly correction: StoredCorrection }
  | { readonly kind: 'withdrawn'; readonly withdrawal: Withdrawal }
  | { readonly kind: 'unknown_receipt' }
  /** This verdict stands already. */
  | { readonly kind: 'stands' };

/** Says that the verdict of a receipt, or of its last correction, was wrong. */
export async function correctVerdict(
  { receiptId, at, is, because }: Omit<Correction, 'was'>,
  ports: CorrectPorts,
): Promise<Corrected> {
  const withdrawal = await ports.withdrawals.find(receiptId);
  if (withdrawal !== null) return { kind: 'withdrawn', withdrawal };
  const found = await receiptById(receiptId, ports);
  if (found === null) return { kind: 'unknown_receipt' };
  const [last] = await ports.corrections.of(receiptId);
  const was = last?.is ?? found.receipt.verdict;
  if (was === is) return { kind: 'stands' };
  return {
    kind: 'corrected',
    correction: await ports.corrections.add({ receiptId, at, was, is, because }),
  };
}
