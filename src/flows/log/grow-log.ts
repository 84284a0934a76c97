import { checkpointText } from '../../core/log/checkpoint.ts';
import { growTree } from '../../core/log/grow-tree.ts';
import { type NoteSigner, openNote, signNote } from '../../core/log/note.ts';
import { hashLeaf, isSameBytes } from '../../core/log/tree-hash.ts';
import type { Grown, LogHead, Waiting } from '../../ports/log/transparency-log.ts';

/** The tree and its checkpoint with the waiting entries. Throws rather than sign what does not continue the stored tree. */
export function growLog({ head, edge, entries }: Waiting, signers: readonly NoteSigner[]): Grown {
  const { origin, size } = head;
  // A bit that has flipped in a stored tile must not become part of a signed root.
  if (!isSameBytes(growTree(size, edge, []).root, head.root)) {
    throw new Error(`the tiles of the log do not give the root of its head at size ${size}`);
  }
  const leaves = entries.map((entry) => hashLeaf(Buffer.from(entry)));
  const grown = growTree(size, edge, leaves);
  const checkpoint = signCheckpoint({ origin, ...grown }, signers);
  return { ...grown, checkpoint };
}

/** Signs, and verifies what was signed: a broken key must be noticed here and not by a client. */
export function signCheckpoint(
  head: Pick<LogHead, 'origin' | 'size' | 'root'>,
  signers: readonly NoteSigner[],
): string {
  const note = signNote(checkpointText(head), signers);
  const opened = openNote(
    note,
    signers.map(({ key }) => key),
  );
  if (typeof opened === 'string' || opened.signedBy.length !== signers.length) {
    throw new Error('the key of the log does not verify its own signature');
  }
  return note;
}
