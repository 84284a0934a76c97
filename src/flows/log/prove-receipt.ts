import type { LogReader } from '../../ports/transparency-log.ts';
import { type EntryProof, proveEntry } from './prove-entry.ts';

export interface ProvePorts {
  readonly transparencyLog: LogReader;
  readonly receipts: { statement(id: string): Promise<string | null> };
}

/** Everything that verifies a receipt without asking us again. */
export type ReceiptProof =
  | { readonly kind: 'proved'; readonly statement: string; readonly proof: string }
  | Exclude<EntryProof, { readonly kind: 'proved' }>;

export async function proveReceipt(
  id: string,
  { receipts, transparencyLog }: ProvePorts,
): Promise<ReceiptProof> {
  const statement = await receipts.statement(id);
  if (statement === null) return { kind: 'unknown' };
  const proved = await proveEntry(id, transparencyLog);
  return proved.kind === 'proved' ? { kind: 'proved', statement, proof: proved.proof } : proved;
}
