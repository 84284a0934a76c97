import { isDiagnostic } from '../diagnose/diagnostic.ts';
import { PROBE_REUSE_SECONDS } from '../limits.ts';
import { type LiveReceipt, seenParts } from '../receipt/live-receipt.ts';
import type { LiveStatement } from './statement.ts';
import { writeLive } from './write-statement.ts';

/** The statement of a live receipt; null for one of an older release, and for one that is not stored. */
export function statementOfLive(receipt: LiveReceipt): string | null {
  const { seen, salt } = receipt;
  return seen === null || salt === null ? null : writeLive({ ...receipt, seen, salt });
}

/** Null when another release wrote a diagnostic that this one does not know. */
export function statedLive(statement: LiveStatement): LiveReceipt | null {
  const { diagnostics } = statement;
  if (!diagnostics.every(isDiagnostic)) return null;
  const { id, url, method, checkedAt, checkType, mode, ref, task, listing, expected, seen } = statement;
  return {
    ...{ id, url, method, checkedAt, checkType, mode, ref, task, listing, expected },
    ...seenParts(seen),
    verdict: statement.verdict,
    reason: statement.reason,
    reasonText: statement.reasonText,
    needsInput: statement.needsInput,
    otherMethod: statement.otherMethod,
    approvedPayment: statement.approvedPayment,
    paymentTermsSha256: statement.paymentTermsSha256,
    probe: { ...statement.probe, cacheTtlSeconds: PROBE_REUSE_SECONDS },
    diagnostics,
    rulesVersion: statement.rulesVersion,
    seen,
    salt: statement.salt,
    listedMethod: statement.listedMethod,
  };
}
