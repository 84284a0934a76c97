import { runTree } from '../../core/log/run-tree.ts';
import { receiptKind } from '../../core/receipt/receipt-id.ts';
import type { Withdrawal } from '../../core/statement/withdrawal-stub.ts';
import type { LogReader } from '../../ports/log/transparency-log.ts';
import type { Withdrawals } from '../../ports/log/withdrawals.ts';
import { missingReceipt } from '../read/missing-receipt.ts';
import { type EntryProof, proveAt, proveEntry } from './prove-entry.ts';

interface Statements {
  statement(id: string): Promise<string | null>;
}

export interface ProvePorts {
  readonly transparencyLog: LogReader;
  readonly receipts: Statements;
  readonly runs: Statements;
  readonly withdrawals: Pick<Withdrawals, 'find'>;
}

/** Everything that verifies a receipt without asking us again. */
export type ReceiptProof =
  | ProvedReceipt
  | { readonly kind: 'withdrawn'; readonly withdrawal: Withdrawal }
  /** The store no longer has its statement. */
  | { readonly kind: 'retired' }
  | Exclude<EntryProof, { readonly kind: 'proved' }>;

interface ProvedReceipt {
  readonly kind: 'proved';
  readonly statement: string;
  readonly proof: string;
  /** Of a crawl receipt, whose own proof is in the tree of its run: the run is in the log. */
  readonly run?: { readonly statement: string; readonly proof: string };
}

export async function proveReceipt(
  id: string,
  { receipts, runs, transparencyLog, withdrawals }: ProvePorts,
): Promise<ReceiptProof> {
  const isCrawl = receiptKind(id) === 'crawl';
  const statement = await (isCrawl ? runs : receipts).statement(id);
  if (statement === null) return missingReceipt(id, { withdrawals, transparencyLog });
  if (isCrawl) return proveInRun(id, statement, transparencyLog);
  const proved = await proveEntry(id, transparencyLog);
  return proved.kind === 'proved' ? { kind: 'proved', statement, proof: proved.proof } : proved;
}

async function proveInRun(id: string, statement: string, log: LogReader): Promise<ReceiptProof> {
  const place = await log.placeInRun(id);
  const runStatement = place === null ? null : await log.runStatement(place.runId);
  if (place === null || runStatement === null) return { kind: 'unknown' };
  const tree = runTree(place.runId);
  // The entry of a run has the id of its tree.
  const run = await proveEntry(tree, log);
  if (run.kind !== 'proved') return run;
  const proved = await proveAt({ tree, index: place.index }, log);
  if (proved.kind !== 'proved') return proved;
  return {
    kind: 'proved',
    statement,
    proof: proved.proof,
    run: { statement: runStatement, proof: run.proof },
  };
}
