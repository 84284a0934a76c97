import { encodeBase64 } from '../../core/log/base64.ts';
import { entryText } from '../../core/log/entry.ts';
import { type Hash, isSameBytes } from '../../core/log/tree-hash.ts';
import type { ReceiptPlace } from './places/receipt-places.ts';
import { requireRoom } from './require-room.ts';

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
  readonly evidence: Uint8Array[];
  /** Statements that were replaced by a stub, and the withdrawals that the log has, by the hash of the statement. */
  readonly stubs: Map<string, string>;
  readonly withdrawals: Set<string>;
  /** Statements that the log says are in an archive, by their hash, until they are read there. */
  readonly retired: Map<string, { readonly id: string; readonly where: string }>;
  /** Logs whose checkpoint has no quorum of witnesses now. */
  readonly uncosigned: string[];
  /** Entries about runs that are to be read, too, by the id of the run. */
  readonly runs: Map<string, RunPlace>;
}

export interface RunPlace {
  readonly run: string;
  readonly sha256: Hash;
  readonly origin: string;
  readonly index: number;
}

type CountName = 'entries' | 'receipts' | 'judged' | 'not_judged' | 'withdrawn' | 'runs' | 'rules' | 'others';

const FAULTS_MAX = 100;
const EVIDENCE_MAX = 20;
/** The largest thing that a log commits to is the statement of a run. */
const EVIDENCE_MAX_LENGTH = 1_048_576;

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
    runs: new Map(),
  };
}

export function addFault(
  { faults, evidence }: Findings,
  fault: CheckFault,
  ...proof: readonly (string | Uint8Array)[]
): void {
  if (faults.length < FAULTS_MAX) faults.push(fault);
  for (const one of proof) if (evidence.length < EVIDENCE_MAX) evidence.push(copyOf(one));
}

/** A copy: a line itself would keep in memory the whole file that it was read from. Nothing valid is longer. */
function copyOf(proof: string | Uint8Array): Uint8Array {
  return Buffer.from(
    typeof proof === 'string' ? proof.slice(0, EVIDENCE_MAX_LENGTH) : proof.subarray(0, EVIDENCE_MAX_LENGTH),
  );
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

/** A second statement of the same run would change the first one. */
export function addRun(findings: Findings, place: RunPlace): void {
  const { runs } = findings;
  const first = runs.get(place.run);
  if (first === undefined) {
    runs.set(place.run, place);
    requireRoom(runs.size, 'runs');
    return;
  }
  if (isSameBytes(first.sha256, place.sha256)) return;
  const entries = [first, place].map(({ run, sha256 }) => entryText({ kind: 'run', run, sha256 }));
  addFault(findings, { kind: 'run_twice', where: bothPlaces(place.run, first, place) }, ...entries);
}

/** The id of the receipt, which in the tree of a run is not the one of the entry. */
export function addReceiptTwice(
  findings: Findings,
  { receipt, entry }: { readonly receipt: string; readonly entry: string },
  [first, second]: readonly [ReceiptPlace, ReceiptPlace],
): void {
  const entries = [first, second].map(({ sha256 }) => entryText({ kind: 'receipt', id: entry, sha256 }));
  addFault(findings, { kind: 'receipt_twice', where: bothPlaces(receipt, first, second) }, ...entries);
}

type Place = Pick<ReceiptPlace, 'origin' | 'index'>;

function bothPlaces(id: string, first: Place, second: Place): string {
  return `${id}: ${first.origin} ${first.index} and ${second.origin} ${second.index}`;
}

/** Statements that are gone although no entry of the log withdraws them. */
export function quietWithdrawals({ stubs, withdrawals }: Findings): readonly string[] {
  return [...stubs].filter(([sha256]) => !withdrawals.has(sha256)).map(([, where]) => where);
}
