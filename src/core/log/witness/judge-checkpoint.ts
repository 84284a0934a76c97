import { parseCheckpoint, type TreeHead } from '../checkpoint.ts';
import { type NoteKey, noteText, openNote } from '../note.ts';
import { EMPTY_ROOT, isSameBytes } from '../tree-hash.ts';
import { isConsistent } from '../verify-proof.ts';
import { type AddCheckpoint, parseAddCheckpoint } from './add-checkpoint.ts';

/** A request whose checkpoint one of its log's keys has signed. */
export interface SignedRequest extends AddCheckpoint {
  readonly head: TreeHead;
  readonly text: string;
  /** The signature lines of the log that were verified. */
  readonly signatures: string;
}

export type RequestFault = 'malformed' | 'unknown_log' | 'unsigned';

/** The order of the answers is the one of c2sp.org/tlog-witness: the log, its signature, and then the old size. */
export function openRequest(body: string, logs: readonly NoteKey[]): SignedRequest | RequestFault {
  const request = parseAddCheckpoint(body);
  const text = request === null ? null : noteText(request.note);
  const head = text === null ? null : parseCheckpoint(text);
  if (request === null || text === null || head === null) return 'malformed';
  // A policy names a log by the name of its keys; there are several during a rotation.
  const keys = logs.filter(({ name }) => name === head.origin);
  if (keys.length === 0) return 'unknown_log';
  const opened = openNote(request.note, keys);
  if (typeof opened === 'string') return opened === 'malformed' ? 'malformed' : 'unsigned';
  if (request.oldSize > head.size) return 'malformed';
  return { ...request, head, text, signatures: opened.signedBy.map(({ line }) => line).join('') };
}

export type Judged =
  | { readonly kind: 'consistent' }
  /** The old size is not that of the last checkpoint. */
  | { readonly kind: 'conflict'; readonly size: number }
  /** A fork is two signed roots of one size, which no proof explains; any other fault may be one of the proof. */
  | { readonly kind: 'inconsistent'; readonly isFork: boolean };

/** `last` is the head that was cosigned last; null for a log that never was. */
export function judgeCheckpoint({ head, oldSize, proof }: SignedRequest, last: TreeHead | null): Judged {
  const known = last ?? { size: 0, root: EMPTY_ROOT };
  if (oldSize !== known.size) return { kind: 'conflict', size: known.size };
  const { size, root } = head;
  if (isConsistent({ oldSize, oldRoot: known.root, size, root, proof })) return { kind: 'consistent' };
  const expected = size === 0 ? EMPTY_ROOT : known.root;
  return { kind: 'inconsistent', isFork: size === known.size && !isSameBytes(root, expected) };
}
