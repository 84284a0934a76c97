import { checkpointText } from '../../../src/core/log/checkpoint.ts';
import { type NoteSigner, signNote } from '../../../src/core/log/note.ts';
import { consistencyProof, rootOf } from '../../../src/core/log/prove.ts';
import { EMPTY_ROOT, type Hash, hashLeaf } from '../../../src/core/log/tree-hash.ts';
import { addCheckpointText } from '../../../src/core/log/witness/add-checkpoint.ts';
import { leavesOf, memoryTree } from './memory-tree.ts';
import { seededSigner } from './seeded-signer.ts';

export const WITNESSED = 'log.example/log';
export const LOG_SIGNER = seededSigner(WITNESSED);

export interface Asking {
  readonly origin?: string;
  readonly signers?: readonly NoteSigner[];
  readonly root?: Hash;
  readonly proof?: readonly Hash[];
}

/** A log of a hundred leaves that asks a witness; `salt` gives another log that shares no leaf with the first. */
export function askingTree(salt: string | null = null) {
  const tree = memoryTree();
  tree.append(
    salt === null ? leavesOf(100) : leavesOf(100).map((leaf) => hashLeaf(Buffer.from(salt + leaf))),
  );
  const noteAt = async (size: number, { origin = WITNESSED, signers = [LOG_SIGNER], root }: Asking = {}) =>
    signNote(
      checkpointText({
        origin,
        size,
        root: root ?? (size === 0 ? EMPTY_ROOT : await rootOf(size, tree.read)),
      }),
      signers,
    );
  const ask = async (oldSize: number, size: number, asking: Asking = {}) =>
    addCheckpointText({
      oldSize,
      proof: asking.proof ?? (oldSize > size ? [] : await consistencyProof(oldSize, size, tree.read)),
      note: await noteAt(size, asking),
    });
  return { ask, noteAt };
}
