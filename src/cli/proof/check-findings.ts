import { encodeBase64 } from '../../core/log/base64.ts';
import type { Hash } from '../../core/log/tree-hash.ts';
import { LogAway } from './log-files.ts';

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
  /** Statements that the log says are in an archive, by their hash, until they are read there. */
  readonly retired: Map<string, { readonly id: string; readonly where: string }>;
  /** Logs whose checkpoint has no quorum of witnesses now. */
  readonly uncosigned: string[];
  /** Entries about runs that are to be read, too. */
  readonly runs: { readonly run: string; readonly sha256: Hash; readonly origin: string }[];
}

type CountName = 'entries' | 'receipts' | 'judged' | 'not_judged' | 'withdrawn' | 'runs' | 'rules' | 'others';

const FAULTS_MAX = 100;
const EVIDENCE_MAX = 20;
/** What is kept in memory of one kind. Beyond it nothing could be concluded any more. */
const KEPT_MAX = 1_000_000;

export function noFindings(): Findings {
  return {
    counts: {
      ...{ entries: 0, receipts: 0, judged: 0, not_judged: 0 },
      ...{ withdrawn: 0, runs: 0, rules: 0, others: 0 },
    },
    faults: [],
    evidence: [],
    stubs: new Map(),
    withdrawals: new Set(),
    retired: new Map(),
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
  findings.stubs.set(encodeBase64(sha256), where);
  requireRoom(findings.stubs.size, 'withdrawn statements');
}

export function addWithdrawal({ withdrawals }: Findings, sha256: Hash): void {
  withdrawals.add(encodeBase64(sha256));
  requireRoom(withdrawals.size, 'withdrawals');
}

export function addRetired(
  { retired }: Findings,
  sha256: Hash,
  entry: { readonly id: string; readonly where: string },
): void {
  retired.set(encodeBase64(sha256), entry);
  requireRoom(retired.size, 'statements in an archive');
}

export function addRun({ runs }: Findings, run: Findings['runs'][number]): void {
  runs.push(run);
  requireRoom(runs.length, 'runs');
}

/** What was left out would pass for sound. */
function requireRoom(count: number, what: string): void {
  if (count > KEPT_MAX) throw new LogAway(`has more than ${KEPT_MAX} ${what}, more than are read here`);
}

/** Statements that are gone although no entry of the log withdraws them. */
export function quietWithdrawals({ stubs, withdrawals }: Findings): readonly string[] {
  return [...stubs].filter(([sha256]) => !withdrawals.has(sha256)).map(([, where]) => where);
}
