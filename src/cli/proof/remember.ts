import { openCheckpoint } from '../../core/log/open-checkpoint.ts';
import { onlyLog, type Policy } from '../../core/log/policy.ts';
import { type Step, step } from '../../core/verify/step.ts';
import type { Screen } from '../command-context.ts';
import { ago } from '../show/age.ts';
import { findSplit, type SeenHead, type Split } from './growth.ts';
import { type LogFiles, textFile, tilesIn } from './log-files.ts';
import type { LogMemory, Remembered } from './log-memory.ts';
import { headsIn, prefixOf, type Trust } from './trust.ts';

const CHECKPOINT_BYTES = 262_144;

export interface Recalled {
  readonly step: Step;
  /** To be kept; the same as before when something is wrong. */
  readonly remembered: Remembered;
  readonly splits: readonly Split[];
}

/** Compares what the service shows now, and what the proof rests on, with what is remembered of that epoch. */
export async function recall(
  trust: Trust,
  { files, seen, now }: { files: LogFiles; seen: SeenHead | null; now: Date },
): Promise<Recalled> {
  const origin = seen?.head.origin ?? trust.base;
  const prefix = prefixOf(trust.base, origin);
  if (prefix === null) return otherLog(trust, origin);
  const before = headsIn(trust).find(({ head }) => head.origin === origin) ?? null;
  const shown = await shownHead(files, prefix, onlyLog(trust.policy, origin));
  if ('says' in shown) return failed(trust, [...trust.splits, shown]);
  const heads = [before, seen, shown].filter((one) => one !== null);
  const split = await findSplit(heads, tilesIn(files, prefix));
  const splits = [...trust.splits, ...(split === null ? [] : [split])];
  if (split !== null) return failed(trust, splits);
  const [newest] = heads.toSorted((left, right) => right.head.size - left.head.size);
  const remembered = withHead(trust.remembered, newest ?? shown, now);
  // A loss is reported once, and with its evidence kept: from then on the new epoch is the one to compare with.
  if (splits.length > 0) return { ...failed(trust, splits), remembered };
  return { step: grownStep(trust, before, now), remembered, splits };
}

/** A policy may name the logs of several services. */
function otherLog(trust: Trust, origin: string): Recalled {
  const says = `the proof is about ${origin}, which is not the log of this service`;
  return { step: step('memory', 'not_checked', says), remembered: trust.remembered, splits: trust.splits };
}

/** Without a network: only a second root for one size can be seen. */
export function recallOffline(trust: Trust, seen: SeenHead): Recalled {
  const before = headsIn(trust).find(({ head }) => head.origin === seen.head.origin);
  if (before === undefined || before.head.size !== seen.head.size) {
    const says =
      before === undefined
        ? 'nothing is remembered of this log'
        : `needs the log to compare with the remembered size ${before.head.size}`;
    return { step: step('memory', 'not_checked', says), remembered: trust.remembered, splits: [] };
  }
  if (Buffer.compare(before.head.root, seen.head.root) === 0) {
    const says = `is the checkpoint that is remembered (size ${seen.head.size})`;
    return { step: step('memory', 'ok', says), remembered: trust.remembered, splits: [] };
  }
  const says = `signed two different trees of size ${seen.head.size}`;
  return failed(trust, [{ says, notes: [before.note, seen.note] }]);
}

/** Both notes of everything that excludes each other, as files. Answers their paths. */
export async function keepEvidence(memory: LogMemory, splits: readonly Split[]): Promise<readonly string[]> {
  const files: string[] = [];
  for (const note of new Set(splits.flatMap(({ notes }) => notes))) {
    files.push(await memory.keepEvidence('checkpoint', note));
  }
  return files;
}

/** A folder that cannot be written does not change what was proved. */
export async function tryToKeep(notes: Screen, keep: () => Promise<void>): Promise<void> {
  try {
    await keep();
  } catch (fault) {
    const code = fault instanceof Error && 'code' in fault ? ` (${String(fault.code)})` : '';
    notes.write(`assay: nothing can be remembered on this machine${code}\n`);
  }
}

function failed(trust: Trust, splits: readonly Split[]): Recalled {
  const says = splits.map((one) => `the log ${one.says}`).join('; ');
  return { step: step('memory', 'failed', says), remembered: trust.remembered, splits };
}

function grownStep(trust: Trust, before: SeenHead | null, now: Date): Step {
  if (before === null) {
    const says = trust.isKnown
      ? 'first checkpoint of this epoch'
      : 'first look at this log: remembered from now on';
    return step('memory', 'not_checked', says);
  }
  const kept = trust.remembered.checkpoints.find(({ note }) => note === before.note);
  const age = ago(new Date(kept?.seen_at ?? now), now);
  return step('memory', 'ok', `grows out of the checkpoint of ${age} (size ${before.head.size})`);
}

async function shownHead(files: LogFiles, prefix: string, policy: Policy): Promise<SeenHead | Split> {
  const note = await textFile(files, `${prefix}checkpoint`, CHECKPOINT_BYTES);
  if (note === null) return { says: 'does not show its checkpoint', notes: [] };
  const opened = openCheckpoint(note, { ...policy, quorum: 'none' });
  if (typeof opened !== 'string') return { note, head: opened.head };
  return { says: `shows a checkpoint that no trusted key has signed (${opened})`, notes: [note] };
}

export function withHead(remembered: Remembered, { note }: SeenHead, now: Date): Remembered {
  const checkpoints = [...remembered.checkpoints, { note, seen_at: now.toISOString() }];
  return { ...remembered, checkpoints };
}
