import { isDiagnostic } from '../diagnose/diagnostic.ts';
import { PROBE_REUSE_SECONDS } from '../limits.ts';
import { type LiveReceipt, seenParts } from '../receipt/live-receipt.ts';
import type { LiveStatement } from './statement.ts';
import { writeLive } from './write-statement.ts';

/** The statement of a live receipt; null for one of an older release, and for one that is not stored. */
export function statementOfLive(receipt: LiveReceipt): string | null {
  const { seen, salt } = receipt;
  return seen === null || salt === null ? null : writeLive(receipt, seen, salt);
}

/** Null when another release wrote a diagnostic that this one does not know. */
export function statedLive(statement: LiveStatement): LiveReceipt | null {
  const { diagnostics } = statement;
  if (!diagnostics.every(isDiagnostic)) return null;
  const { seen, probe } = statement;
  const { liveDemand, live402, evidence, input } = seenParts(seen);
  return {
    id: statement.id,
    url: statement.url,
    method: statement.method,
    checkedAt: statement.checkedAt,
    checkType: statement.checkType,
    mode: statement.mode,
    ref: statement.ref,
    task: statement.task,
    listing: statement.listing,
    liveDemand,
    live402,
    expected: statement.expected,
    verdict: statement.verdict,
    reason: statement.reason,
    reasonText: statement.reasonText,
    input,
    needsInput: statement.needsInput,
    otherMethod: statement.otherMethod,
    approvedPayment: statement.approvedPayment,
    paymentTermsSha256: statement.paymentTermsSha256,
    probe: { probedAt: probe.probedAt, cached: probe.cached, cacheTtlSeconds: PROBE_REUSE_SECONDS },
    evidence,
    diagnostics,
    rulesVersion: statement.rulesVersion,
    seen,
    salt: statement.salt,
    listedMethod: statement.listedMethod,
    views: statement.views,
  };
}
