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
  | { readonly kind: 'inconsistent'; readonly evidence: Evidence };

/**
 * What a checkpoint with a wrong proof may prove about its log. Two roots of one size are a fork. A larger tree may be another one, or
 * anybody may have sent a wrong proof with it. The same tree, or one after the empty tree, needs no proof.
 */
export type Evidence = 'fork' | 'proof' | null;

/** `last` is the head that was cosigned last; null for a log that never was. */
export function judgeCheckpoint({ head, oldSize, proof }: SignedRequest, last: TreeHead | null): Judged {
  const known = last ?? { size: 0, root: EMPTY_ROOT };
  if (oldSize !== known.size) return { kind: 'conflict', size: known.size };
  const { size, root } = head;
  if (isConsistent({ oldSize, oldRoot: known.root, size, root, proof })) return { kind: 'consistent' };
  return { kind: 'inconsistent', evidence: evidenceOf(head, known) };
}

function evidenceOf({ size, root }: TreeHead, known: Pick<TreeHead, 'size' | 'root'>): Evidence {
  const expected = size === 0 ? EMPTY_ROOT : known.root;
  if (size === known.size) return isSameBytes(root, expected) ? null : 'fork';
  return known.size === 0 ? null : 'proof';
}
