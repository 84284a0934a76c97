import { auditLog } from '../../core/log/audit.ts';
import type { TreeHead } from '../../core/log/checkpoint.ts';
import { type LogEntry, parseEntry } from '../../core/log/entry.ts';
import { onlyLog } from '../../core/log/policy.ts';
import { type Hash, isSameBytes } from '../../core/log/tree-hash.ts';
import { findSplit, type SeenHead, type Split } from './growth.ts';
import {
  CHECKPOINT,
  CHECKPOINT_BYTES,
  LOG_FILE_BYTES,
  LOG_FILES_AT_ONCE,
  LOG_SIZE_MAX,
  LogAway,
  type LogFiles,
  tilesIn,
} from './log-files.ts';
import { headsIn, prefixOf, type Trust } from './trust.ts';

export interface Wanted {
  readonly kind: 'receipt' | 'withdrawal';
  readonly id: string;
  /** Of the statement; null for any. */
  readonly sha256: Hash | null;
}

export interface Searched {
  readonly isThere: boolean;
  /** Such an entry about another statement is there. */
  readonly isOther: boolean;
  readonly fault: string | null;
  /** The checkpoints of the logs that were searched, and those that exclude each other. */
  readonly notes: readonly string[];
}

/** Reads every entry of a log, of all of its epochs. It has to be the log that is remembered: another one explains nothing. */
export async function searchLog(trust: Trust, files: LogFiles, wanted: Wanted): Promise<Searched> {
  const { policy, base } = trust;
  const shown: Shown[] = [];
  const notes: string[] = [];
  let [isThere, isOther] = [false, false];
  let fault: string | null = null;
  for (const origin of new Set(policy.logs.map(({ key }) => key.name))) {
    const prefix = prefixOf(base, origin);
    if (prefix === null) continue;
    let first: LogEntry | null = null;
    const report = await auditLog({
      fetchFile: (path) =>
        files.get(`${prefix}${path}`, path === CHECKPOINT ? CHECKPOINT_BYTES : LOG_FILE_BYTES),
      policy: { ...onlyLog(policy, origin), quorum: 'none' },
      filesAtOnce: LOG_FILES_AT_ONCE,
      sizeMax: LOG_SIZE_MAX,
      onEntry: (bytes, index) => {
        const entry = parseEntry(Buffer.from(bytes).toString());
        if (index === 0) first = entry;
        if (entry?.kind !== wanted.kind || entry.id !== wanted.id) return;
        if (wanted.sha256 === null || isSameBytes(entry.sha256, wanted.sha256)) isThere = true;
        else isOther = true;
      },
    });
    const { checkpoint, head } = report;
    if (checkpoint !== null) notes.push(checkpoint);
    if (checkpoint !== null && head !== null)
      shown.push({ prefix, seen: { note: checkpoint, head }, before: endIn(first) });
    for (const { kind, path } of report.faults) {
      if (kind === 'log_too_large') throw new LogAway('has more entries than are read here');
      // An epoch without a checkpoint has no entries yet, unless one was seen.
      const isEmpty =
        kind === 'checkpoint_missing' && !headsIn(trust).some((old) => old.head.origin === origin);
      // Else its entries are not those that it signed.
      if (!isEmpty) fault ??= `the log is wrong: ${kind}, ${prefix}${path}`;
    }
  }
  const splits = [...trust.splits, ...(await splitsOf(trust, shown, files))];
  const [split] = splits;
  if (split === undefined) return { isThere, isOther, fault, notes };
  const all = new Set([...splits.flatMap((one) => one.notes), ...notes]);
  return { isThere, isOther, fault: `the log ${split.says}`, notes: [...all] };
}

interface Shown {
  readonly prefix: string;
  readonly seen: SeenHead;
  /** Where the epoch before it ended, as its first entry says. */
  readonly before: TreeHead | null;
}

function endIn(entry: LogEntry | null): TreeHead | null {
  return entry?.kind === 'epoch' ? entry : null;
}

/** Where an epoch is not the one that is remembered, or does not end where the next one began. */
async function splitsOf(trust: Trust, shown: readonly Shown[], files: LogFiles): Promise<readonly Split[]> {
  const splits: Split[] = [];
  for (const { prefix, seen } of shown) {
    const { origin, size } = seen.head;
    const next = shown.find(({ before }) => before?.origin === origin);
    const end = next?.before ?? null;
    if (end !== null && next !== undefined && size > end.size) {
      const says = `has more entries of ${origin} than ${next.seen.head.origin} says`;
      splits.push({ says, notes: [seen.note, next.seen.note] });
    }
    const ended = end === null || next === undefined ? [] : [{ note: next.seen.note, head: end }];
    // What was lost with an epoch was told when the next one was learned.
    const olds = headsIn(trust).filter(
      ({ head }) => head.origin === origin && (end === null || head.size <= end.size),
    );
    const split = await findSplit([...olds, seen, ...ended], tilesIn(files, prefix));
    if (split !== null) splits.push(split);
  }
  return splits;
}
