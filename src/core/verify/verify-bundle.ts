import { hash } from 'node:crypto';
import type { TreeHead } from '../log/checkpoint.ts';
import { entryText, type LogEntry } from '../log/entry.ts';
import type { NoteKey } from '../log/note.ts';
import { type CheckpointFault, type OpenedCheckpoint, openCheckpoint } from '../log/open-checkpoint.ts';
import { isQuorum, onlyLog, type Policy } from '../log/policy.ts';
import { type ProofFile, parseProofFile } from '../log/proof-file.ts';
import { hashLeaf, isSameBytes } from '../log/tree-hash.ts';
import { isIncluded } from '../log/verify-proof.ts';
import { promiseStep } from './promise-step.ts';
import type { ProofBundle } from './proof-bundle.ts';
import { type RunFacts, runFacts, type StatementFacts, statementFacts } from './statement-facts.ts';
import { type Step, step } from './step.ts';

export interface VerifyRequest {
  readonly bundle: ProofBundle;
  readonly policy: Policy;
  readonly promiseKey: NoteKey | null;
  /** The receipt that was asked for; null for whichever the bundle has. */
  readonly id: string | null;
  readonly now: Date;
}

export interface Verified {
  /** Statement, promise, log and witnesses. */
  readonly steps: readonly Step[];
  /** Of the log itself, not of a run; null unless a log of the policy signed it. */
  readonly checkpoint: { readonly note: string; readonly head: TreeHead } | null;
  readonly facts: StatementFacts | null;
}

/** What a bundle proves under a policy. Index and size count only as far as the verified checkpoint bears them out. */
export function verifyBundle({ bundle, policy, promiseKey, id, now }: VerifyRequest): Verified {
  const facts = statementFacts(bundle.statement);
  const proof = parseProofFile(bundle.run?.proof ?? bundle.proof);
  // Witnesses have a step of their own.
  const opened = proof === null ? 'malformed' : openCheckpoint(proof.checkpoint, anyQuorum(policy));
  const main = proof === null || typeof opened === 'string' ? null : { proof, opened };
  const statement = statementStep(bundle, { facts, id, policy, main });
  const what = facts === null ? null : { id: facts.id, sha256: sha256(bundle.statement) };
  const promised = { key: promiseKey, policy, what };
  return {
    steps: [
      statement,
      promiseStep(bundle.promise, promised, { isLogged: statement.state === 'ok', now }),
      logStep(opened, main),
      witnessesStep(policy, main, now),
    ],
    checkpoint: main === null ? null : { note: main.proof.checkpoint, head: main.opened.head },
    facts,
  };
}

interface Main {
  readonly proof: ProofFile;
  readonly opened: OpenedCheckpoint;
}

interface StatementParts {
  readonly facts: StatementFacts | null;
  readonly id: string | null;
  readonly policy: Policy;
  readonly main: Main | null;
}

function statementStep(bundle: ProofBundle, { facts, id, policy, main }: StatementParts): Step {
  if (facts === null) return step('statement', 'failed', 'the bytes are no statement of a receipt');
  if (id !== null && facts.id !== id) return step('statement', 'failed', `it is about ${facts.id}`);
  if (main === null) return step('statement', 'not_checked', 'no checkpoint to compare it with');
  const fault =
    facts.kind === 'live' ? liveFault(bundle, facts, main) : crawlFault(bundle, facts, { policy, main });
  return fault === null ? step('statement', 'ok', 'hashes to the entry') : step('statement', 'failed', fault);
}

function liveFault({ statement, run }: ProofBundle, { id }: StatementFacts, main: Main): string | null {
  if (run !== null) return 'a receipt of a check has no run';
  const isThere = isEntryOf(main, { kind: 'receipt', id, sha256: sha256(statement) });
  return isThere ? null : 'does not hash to the entry of the proof';
}

interface RunParts {
  readonly policy: Policy;
  readonly main: Main;
}

/** The receipt is in the tree of its run; size and root of that tree are in the run's statement; that is in the log. */
function crawlFault(
  { statement, proof, run }: ProofBundle,
  facts: StatementFacts,
  { policy, main }: RunParts,
): string | null {
  const told = run === null ? null : runFacts(run.statement);
  if (run === null || told === null) return 'there is no statement of its run';
  if (facts.run !== told.id) return 'it belongs to another run';
  if (!isEntryOf(main, { kind: 'run', run: told.id, sha256: sha256(run.statement) }))
    return 'the statement of its run does not hash to the entry of the proof';
  const file = parseProofFile(proof);
  const opened = file === null ? null : openRun(file.checkpoint, told, { policy, main });
  if (file === null || opened === null) return 'the tree of its run is not signed by a log of the policy';
  if (opened.head.size !== told.size || !isSameBytes(opened.head.root, told.root))
    return 'the log names another tree for its run';
  const isThere = isEntryOf({ proof: file, opened }, { kind: 'receipt', id: '-', sha256: sha256(statement) });
  return isThere ? null : 'does not hash to the entry of the proof';
}

/** Below the epoch that has the entry of the run. No witness sees this tree: its root is in the log, which they do see. */
function openRun(note: string, { id }: RunFacts, { policy, main }: RunParts): OpenedCheckpoint | null {
  const { origin } = main.opened.head;
  const opened = openCheckpoint(note, anyQuorum(onlyLog(policy, origin)), `${origin}/run/${id}`);
  return typeof opened === 'string' ? null : opened;
}

function isEntryOf({ proof: { index, proof }, opened: { head } }: Main, entry: LogEntry): boolean {
  const leaf = hashLeaf(Buffer.from(entryText(entry)));
  return isIncluded({ index, size: head.size, root: head.root, leaf, proof });
}

function logStep(opened: OpenedCheckpoint | CheckpointFault, main: Main | null): Step {
  if (main !== null) {
    const { index } = main.proof;
    const { origin, size } = main.opened.head;
    return step('log', 'ok', `entry ${index} of ${size}, checkpoint signed by ${origin}`);
  }
  return step('log', 'failed', LOG_FAULTS[typeof opened === 'string' ? opened : 'malformed']);
}

const LOG_FAULTS: Readonly<Record<CheckpointFault, string>> = {
  malformed: 'the proof cannot be read',
  unsigned: 'the checkpoint is not signed by a log of the policy',
  bad_signature: 'a signature of the checkpoint is wrong',
  wrong_origin: 'the checkpoint is of another log',
  no_quorum: 'not enough witnesses',
};

function witnessesStep(policy: Policy, main: Main | null, now: Date): Step {
  const { witnesses, quorum } = policy;
  if (quorum === 'none') return step('witnesses', 'not_checked', 'the policy asks for none');
  if (main === null) return step('witnesses', 'not_checked', 'no checkpoint that they could have signed');
  const { cosigned } = main.opened;
  const counted = `${cosigned.length} of ${witnesses.length}`;
  if (!isQuorum(policy, new Set(cosigned.map(({ witness }) => witness))))
    return step('witnesses', 'not_yet', `${counted}, which is no quorum of the policy yet`);
  const newest = Math.max(...cosigned.map(({ time }) => time));
  const seconds = Math.max(0, Math.floor(now.getTime() / 1_000 - newest));
  return step('witnesses', 'ok', `${counted} (${ageOf(seconds)} ago)`);
}

function ageOf(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} days`;
}

function anyQuorum(policy: Policy): Policy {
  return { ...policy, quorum: 'none' };
}

function sha256(bytes: Uint8Array): Uint8Array {
  return hash('sha256', bytes, 'buffer');
}
