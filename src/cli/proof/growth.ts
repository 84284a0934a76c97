import type { TreeHead } from '../../core/log/checkpoint.ts';
import { compareHeads } from '../../core/log/compare-heads.ts';
import type { ReadTile } from '../../core/log/prove.ts';
import { isSameBytes } from '../../core/log/tree-hash.ts';
import { FileWithheld } from './log-files.ts';

/** A signed tree head, with the note that proves who signed it. */
export interface SeenHead {
  readonly note: string;
  readonly head: TreeHead;
}

export interface Split {
  /** Completes "the log ...". */
  readonly says: string;
  /** The two notes that exclude each other. */
  readonly notes: readonly string[];
}

/** Null when every head grows out of the one before; else the first two that do not. */
export async function findSplit(seen: readonly SeenHead[], read: ReadTile): Promise<Split | null> {
  const bySize = seen.toSorted((left, right) => left.head.size - right.head.size);
  for (const [at, next] of bySize.entries()) {
    const before = bySize[at - 1];
    const says = before === undefined ? null : await whySplit(before.head, next.head, read);
    if (before !== undefined && says !== null) return { says, notes: [before.note, next.note] };
  }
  return null;
}

async function whySplit(old: TreeHead, next: TreeHead, read: ReadTile): Promise<string | null> {
  const { size, root } = next;
  if (old.size === size) {
    return isSameBytes(old.root, root) ? null : `signed two different trees of size ${size}`;
  }
  try {
    const compared = await compareHeads(old, next, read);
    return compared === 'grown' ? null : `of size ${size} does not continue the one of size ${old.size}`;
  } catch (fault) {
    if (fault instanceof FileWithheld)
      return `cannot show how size ${old.size} grew to ${size}: ${fault.message}`;
    throw fault;
  }
}
