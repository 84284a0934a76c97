import { parseCheckpoint, type TreeHead } from './checkpoint.ts';
import { openNote } from './note.ts';
import { isQuorum, type Policy } from './policy.ts';

export type CheckpointFault = 'malformed' | 'unsigned' | 'bad_signature' | 'wrong_origin' | 'no_quorum';

export interface OpenedCheckpoint {
  readonly head: TreeHead;
  readonly cosigned: readonly Cosigned[];
}

export interface Cosigned {
  /** The policy's name of the witness. */
  readonly witness: string;
  /** POSIX seconds. */
  readonly time: number;
}

/**
 * A checkpoint counts when a log of the policy signed it and enough witnesses cosigned it. Its origin must be the name of the key
 * that signed: otherwise one log of the policy could speak for another. The tree of a run has an origin of its own: name it.
 */
export function openCheckpoint(
  note: string,
  policy: Policy,
  origin?: string,
): OpenedCheckpoint | CheckpointFault {
  const { logs, witnesses } = policy;
  const opened = openNote(
    note,
    [...logs, ...witnesses].map(({ key }) => key),
  );
  if (typeof opened === 'string') return opened;
  const head = parseCheckpoint(opened.text);
  if (head === null) return 'malformed';
  const signers = opened.signedBy.filter(({ key }) => logs.some((log) => log.key === key));
  if (signers.length === 0) return 'unsigned';
  if (!signers.some(({ key }) => head.origin === (origin ?? key.name))) return 'wrong_origin';
  const cosigned = witnesses.flatMap(({ name, key }): Cosigned[] => {
    const time = opened.signedBy.find((one) => one.key === key)?.time ?? null;
    return time === null ? [] : [{ witness: name, time }];
  });
  return isQuorum(policy, new Set(cosigned.map(({ witness }) => witness))) ? { head, cosigned } : 'no_quorum';
}
