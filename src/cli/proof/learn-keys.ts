import type { TreeHead } from '../../core/log/checkpoint.ts';
import { entryText, parseEntry } from '../../core/log/entry.ts';
import { type NoteKey, noteKeyText } from '../../core/log/note.ts';
import { openCheckpoint } from '../../core/log/open-checkpoint.ts';
import { onlyLog, type Policy } from '../../core/log/policy.ts';
import { findEntry, firstEntry } from './find-entry.ts';
import { findSplit, type SeenHead, type Split } from './growth.ts';
import { FileWithheld, type LogFiles, textFile, tilesIn } from './log-files.ts';

export interface Asked {
  /** The key that a service shows and that is not trusted yet. */
  readonly key: NoteKey;
  readonly policy: Policy;
  /** What is remembered. */
  readonly heads: readonly SeenHead[];
}

export interface Place {
  readonly files: LogFiles;
  readonly prefix: string;
  readonly prefixOf: (origin: string) => string | null;
}

export interface Learned {
  readonly isLearned: boolean;
  readonly splits: readonly Split[];
}

const NOT_LEARNED: Learned = { isLearned: false, splits: [] };
const CHECKPOINT_BYTES = 262_144;

/** A rotation: the log itself announces the key, in an entry under a checkpoint that a trusted key has signed. */
export async function followKey({ key, policy, heads }: Asked, { files, prefix }: Place): Promise<Learned> {
  const entry = entryText({ kind: 'key', change: 'add', vkey: noteKeyText(key) });
  const shown = await openAt(files, prefix, onlyLog(policy, key.name));
  const remembered = heads.find(({ head }) => head.origin === key.name)?.head ?? null;
  for (const head of [shown?.head ?? null, remembered]) {
    if (head?.origin !== key.name || head.size === 0) continue;
    const found = await findEntry({ files, prefix, head }, (text) => text === entry).catch(ignoreWithheld);
    if (found !== null) return { isLearned: true, splits: [] };
  }
  return NOT_LEARNED;
}

/** An epoch begins with an entry that says where the one before it ended. It must be the one that is remembered. */
export async function followEpoch({ key, policy, heads }: Asked, place: Place): Promise<Learned> {
  const { files, prefix } = place;
  const shown = await openAt(files, prefix, { ...policy, logs: [{ key, url: null }] });
  if (shown === null || shown.head.size === 0) return NOT_LEARNED;
  const text = await firstEntry({ files, prefix, head: shown.head }).catch(ignoreWithheld);
  const entry = parseEntry(text ?? '');
  if (entry?.kind !== 'epoch') return NOT_LEARNED;
  const { origin, size, root } = entry;
  const oldPrefix = place.prefixOf(origin);
  if (oldPrefix === null || !policy.logs.some((log) => log.key.name === origin)) return NOT_LEARNED;
  const [first, last] = [epochNumber(oldPrefix), epochNumber(prefix)];
  if (first >= last) return NOT_LEARNED;
  // What is remembered of an epoch between the two would never be compared again.
  const leftOut = heads.find(({ head }) => {
    const number = epochNumber(place.prefixOf(head.origin) ?? '');
    return first < number && number < last;
  });
  if (leftOut !== undefined) return { isLearned: false, splits: [passedOver(leftOut, shown, origin)] };
  const before = heads.find(({ head }) => head.origin === origin);
  if (before === undefined) return { isLearned: true, splits: [] };
  const end = { note: shown.note, head: { origin, size, root } };
  if (before.head.size > size) return { isLearned: true, splits: [lost(before, end)] };
  const split = await findSplit([before, end], tilesIn(files, oldPrefix));
  return split === null ? { isLearned: true, splits: [] } : { isLearned: false, splits: [split] };
}

function epochNumber(prefix: string): number {
  return prefix === '' ? 1 : Number.parseInt(prefix, 10);
}

function passedOver({ head, note }: SeenHead, shown: SeenHead, origin: string): Split {
  const says = `began ${shown.head.origin} after ${origin}, and leaves out ${head.origin}`;
  return { says, notes: [note, shown.note] };
}

function lost(before: SeenHead, end: SeenHead): Split {
  const entries = before.head.size - end.head.size;
  const what = `ended ${end.head.origin} at size ${end.head.size} and began a new epoch`;
  return {
    says: `${what}: ${entries} of the entries that it had published are lost`,
    notes: [before.note, end.note],
  };
}

async function openAt(files: LogFiles, prefix: string, policy: Policy): Promise<SeenHead | null> {
  const note = await textFile(files, `${prefix}checkpoint`, CHECKPOINT_BYTES);
  const opened = note === null ? 'malformed' : openCheckpoint(note, { ...policy, quorum: 'none' });
  if (note === null || typeof opened === 'string') return null;
  const head: TreeHead = opened.head;
  return { note, head };
}

/** A key that cannot be proved is not learned; what it signs is refused later. */
export function ignoreWithheld(fault: unknown): null {
  if (fault instanceof FileWithheld) return null;
  throw fault;
}
