import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { holdLock } from '../../../adapters/system/hold-lock.ts';
import type { Outcome } from '../../../cli/exit-code.ts';
import { type Arguments, readCount } from '../../../cli/read-arguments.ts';

const COUNT_MAX = 1_000;
const HOUR_MS = 3_600_000;
/** How often a running command looks whether the next backup is due. */
const LOOK_EVERY_MS = 60_000;
const NAME = /^assay-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.gz$/;
/** Of a process that was killed. */
const DRAFT = /^assay-\d{8}T\d{6}Z\.gz\.\d+\.part$/;
const LOCK = '.lock';

export interface BackupFolder {
  readonly folder: string;
  /** How many of them stay. */
  readonly keep: number;
  /** Null: one backup, and no more. */
  readonly everyHours: number | null;
  readonly write: (file: string) => Promise<Outcome>;
  readonly now: () => Date;
  readonly stop: AbortSignal;
}

export type BackupOptions =
  | { readonly keep: number; readonly everyHours: number | null }
  | { readonly keep: null }
  | { readonly invalid: string };

/** Without --keep it is one file. */
export function readBackupOptions(given: Arguments): BackupOptions {
  const [keepText, everyText] = [given.text('--keep'), given.text('--every')];
  if (keepText === null) return everyText === null ? { keep: null } : { invalid: '--every needs --keep' };
  const keep = readCount(keepText, COUNT_MAX);
  if (keep === null) return { invalid: `--keep must be from 1 to ${COUNT_MAX}` };
  if (everyText === null) return { keep, everyHours: null };
  const everyHours = readCount(everyText, COUNT_MAX);
  return everyHours === null ? { invalid: `--every must be from 1 to ${COUNT_MAX}` } : { keep, everyHours };
}

/** Backups named after their time; only files with such a name are ever removed. Ends with the first that fails. */
export async function fillBackupFolder(to: BackupFolder): Promise<Outcome> {
  for (;;) {
    const outcome = isDue(to) ? await addAlone(to) : 0;
    if (outcome !== 0 && outcome !== 'busy') return outcome;
    if (outcome === 'busy' && to.everyHours === null)
      throw new Error(`another backup to ${to.folder} is running`);
    if (to.everyHours === null) return 0;
    await sleep(LOOK_EVERY_MS, undefined, { signal: to.stop }).catch(() => {});
    if (to.stop.aborted) return 0;
  }
}

/** Under a lock: what another run is writing must not be taken for the draft of a killed one. */
async function addAlone(to: BackupFolder): Promise<Outcome | 'busy'> {
  const hold = await holdLock(join(to.folder, LOCK));
  if (hold === null) return 'busy';
  try {
    removeAll(to.folder, filesIn(to.folder, DRAFT));
    const outcome = await to.write(join(to.folder, nameAt(to.now())));
    // The old ones are worth more than room for a new one that cannot be made.
    if (outcome === 0) removeAll(to.folder, backupsIn(to).slice(0, -to.keep));
    return outcome;
  } finally {
    hold.release();
  }
}

function isDue(to: BackupFolder): boolean {
  const newest = backupsIn(to).at(-1);
  if (to.everyHours === null || newest === undefined) return true;
  return to.now().getTime() - timeOf(newest) >= to.everyHours * HOUR_MS;
}

/** The oldest first. Without those from the future: a wrong clock has made them, and they must not outlast every new one. */
function backupsIn({ folder, now }: Pick<BackupFolder, 'folder' | 'now'>): readonly string[] {
  return filesIn(folder, NAME).filter((name) => timeOf(name) <= now().getTime());
}

function nameAt(time: Date): string {
  return `assay-${time.toISOString().replace(/\.\d+/, '').replace(/[-:]/g, '')}.gz`;
}

function timeOf(name: string): number {
  return Date.parse(name.replace(NAME, '$1-$2-$3T$4:$5:$6Z'));
}

/** The oldest first. */
function filesIn(folder: string, pattern: RegExp): readonly string[] {
  return readdirSync(folder)
    .filter((name) => pattern.test(name))
    .sort();
}

function removeAll(folder: string, names: readonly string[]): void {
  for (const name of names) rmSync(join(folder, name));
}
