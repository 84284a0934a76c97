import { parseCheckpoint, type TreeHead } from '../../core/log/checkpoint.ts';
import { type NoteSigner, openNote } from '../../core/log/note.ts';
import { rootOf } from '../../core/log/prove.ts';
import { isSameBytes } from '../../core/log/tree-hash.ts';
import type { LogMark } from '../../ports/log/log-mark.ts';
import type { Epoch, LogHead, LogReader } from '../../ports/log/transparency-log.ts';
import { epochName, epochOf } from './epoch-name.ts';
import { keyChange } from './log-keys.ts';
import { tileReader } from './read-tiles.ts';

export const LOG_STATES = [
  'starting',
  'ok',
  /** The database has less than was given out, or something else: it was set back, and a new epoch has to begin. */
  'behind',
  /** The keys of this process are not those of the log. */
  'other_keys',
  /** The log was begun under another name. */
  'other_origin',
] as const;
export type LogState = (typeof LOG_STATES)[number];

export interface LogStatePorts {
  readonly log: Pick<LogReader, 'tile'>;
  readonly mark: Pick<LogMark, 'read'>;
  /** The name of a log that begins. */
  readonly origin: string;
  /** A log that was begun under another name is refused; otherwise it keeps its name. */
  readonly isOriginSet: boolean;
  /** The signers of an epoch: the name of a key is the name of the log. */
  readonly signersOf: (epoch: Epoch) => readonly NoteSigner[];
}

/** Whether a process with these keys and this mark may continue the log. Changes nothing. */
export async function stateOfLog(head: LogHead, ports: LogStatePorts): Promise<LogState> {
  const isOther = ports.isOriginSet && head.origin !== epochName(ports.origin, Number(head.tree));
  if (isOther) return 'other_origin';
  if (keyChange(head, ports.signersOf(head)).kind === 'other_keys') return 'other_keys';
  return (await continuesMark(head, ports)) ? 'ok' : 'behind';
}

async function continuesMark(head: LogHead, { log, mark, signersOf }: LogStatePorts): Promise<boolean> {
  const note = await mark.read();
  const epoch = note === null ? null : epochOf(note, head);
  const marked = note === null || epoch === null ? null : verified(note, signersOf(epoch));
  // A mark of an older epoch, or of another key, says nothing about this one.
  if (epoch === null || marked === null || Number(epoch.tree) < Number(head.tree)) return true;
  // This epoch has ended: the database does not know of the one that came after it.
  if (epoch.tree !== head.tree || marked.size > head.size) return false;
  const root = await rootOf(marked.size, tileReader(log, head.tree));
  return isSameBytes(root, marked.root);
}

function verified(note: string, signers: readonly NoteSigner[]): TreeHead | null {
  const opened = openNote(
    note,
    signers.map(({ key }) => key),
  );
  return typeof opened === 'string' ? null : parseCheckpoint(opened.text);
}
