import { encodeBase64 } from '../../core/log/base64.ts';
import type { Hash } from '../../core/log/tree-hash.ts';

export interface CheckFault {
  /** Such as `statement_withheld`. */
  readonly kind: string;
  /** The file, the entry or the receipt. */
  readonly where: string;
}

/** What a check of a whole log has found so far. */
export interface Findings {
  readonly counts: Record<CountName, number>;
  readonly faults: CheckFault[];
  /** Files that prove the faults. */
  readonly evidence: (string | Uint8Array)[];
  /** Statements that were replaced by a stub, and the withdrawals that the log has, by the hash of the statement. */
  readonly stubs: Map<string, string>;
  readonly withdrawals: Set<string>;
  /** Logs whose checkpoint has no quorum of witnesses now. */
  readonly uncosigned: string[];
  /** Entries about runs that are to be read, too. */
  readonly runs: { readonly run: string; readonly sha256: Hash; readonly origin: string }[];
}

type CountName =
  | 'entries'
  | 'receipts'
  | 'judged'
  | 'not_judged'
  | 'withdrawn'
  | 'retired'
  | 'runs'
  | 'rules'
  | 'others';

const FAULTS_MAX = 100;
const EVIDENCE_MAX = 20;
const STUBS_MAX = 1_000_000;

export function noFindings(): Findings {
  return {
    counts: {
      ...{ entries: 0, receipts: 0, judged: 0, not_judged: 0 },
      ...{ withdrawn: 0, retired: 0, runs: 0, rules: 0, others: 0 },
    },
    faults: [],
    evidence: [],
    stubs: new Map(),
    withdrawals: new Set(),
    uncosigned: [],
    runs: [],
  };
}

export function addFault(
  { faults, evidence }: Findings,
  fault: CheckFault,
  ...proof: readonly (string | Uint8Array)[]
): void {
  if (faults.length < FAULTS_MAX) faults.push(fault);
  for (const one of proof) if (evidence.length < EVIDENCE_MAX) evidence.push(one);
}

export function addStub(findings: Findings, sha256: Hash, where: string): void {
  findings.counts.withdrawn += 1;
  if (findings.stubs.size < STUBS_MAX) findings.stubs.set(encodeBase64(sha256), where);
}

/** Statements that are gone although no entry of the log withdraws them. */
export function quietWithdrawals({ stubs, withdrawals }: Findings): readonly string[] {
  return [...stubs].filter(([sha256]) => !withdrawals.has(sha256)).map(([, where]) => where);
}
