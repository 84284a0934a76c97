import type { Withdrawal } from '../../core/statement/withdrawal-stub.ts';
import type { LogReader } from '../../ports/transparency-log.ts';
import type { Withdrawals } from '../../ports/withdrawals.ts';
import { type EntryProof, proveEntry } from './prove-entry.ts';

export interface ProvePorts {
  readonly transparencyLog: LogReader;
  readonly receipts: { statement(id: string): Promise<string | null> };
  readonly withdrawals: Pick<Withdrawals, 'find'>;
}

/** Everything that verifies a receipt without asking us again. */
export type ReceiptProof =
  | { readonly kind: 'proved'; readonly statement: string; readonly proof: string }
  | { readonly kind: 'withdrawn'; readonly withdrawal: Withdrawal }
  | Exclude<EntryProof, { readonly kind: 'proved' }>;

export async function proveReceipt(
  id: string,
  { receipts, transparencyLog, withdrawals }: ProvePorts,
): Promise<ReceiptProof> {
  const statement = await receipts.statement(id);
  if (statement === null) {
    const withdrawal = await withdrawals.find(id);
    return withdrawal === null ? { kind: 'unknown' } : { kind: 'withdrawn', withdrawal };
  }
  const proved = await proveEntry(id, transparencyLog);
  return proved.kind === 'proved' ? { kind: 'proved', statement, proof: proved.proof } : proved;
}
