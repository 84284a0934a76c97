import { isDatedAhead } from '../../core/is-dated-ahead.ts';
import { tilePath } from '../../core/log/tile.ts';
import { isSameBytes } from '../../core/log/tree-hash.ts';
import type { Clock } from '../../ports/clock.ts';
import type { JobRecord, JobStore } from '../../ports/job-store.ts';
import type { LogHead, LogStore, StoredTile } from '../../ports/log/transparency-log.ts';
import { rebuildTree } from './rebuild-tree.ts';

export interface Scrubbed {
  readonly origin: string;
  readonly size: number;
  /** Tiles that were not what the entries give; they have been written again. */
  readonly mended: readonly string[];
  /** The entries do not give the signed root: one of them has changed or is missing. */
  readonly isDamaged: boolean;
}

const SCRUB_JOB = 'scrub';
const DAY_MS = 86_400_000;
/** Longer than a large log takes. */
const LEASE_MS = 3_600_000;

export interface ScrubPorts extends Pick<Clock, 'now'> {
  readonly jobs: JobStore;
  readonly log: LogStore;
  readonly newId: () => string;
}

/** Once a day, by one of the processes. Null when it is not due, or done elsewhere. */
export async function scrubDaily({ jobs, log, now, newId }: ScrubPorts): Promise<readonly Scrubbed[] | null> {
  if (isDone(await jobs.read(SCRUB_JOB), now())) return null;
  const claim = { name: SCRUB_JOB, holder: newId(), now: now(), leaseMs: LEASE_MS };
  const record = await jobs.claim(claim);
  if (record === null) return null;
  // Another process may have finished it just before.
  if (isDone(record, now())) {
    await jobs.finish(claim, record.state ?? '[]');
    return null;
  }
  const scrubbed = await scrubLog(log, Math.floor(now().getTime() / DAY_MS));
  await jobs.finish(
    { ...claim, now: now() },
    JSON.stringify(scrubbed.map(({ origin, size }) => [origin, size])),
  );
  return scrubbed;
}

function isDone(record: JobRecord | null, now: Date): boolean {
  const doneMs = record?.finishedAt?.getTime() ?? Number.NEGATIVE_INFINITY;
  return now.getTime() - doneMs < DAY_MS && !isDatedAhead(doneMs, now);
}

/**
 * A flipped bit on a disk is found here before somebody else finds it. Of the runs one is read at a time, because they are many
 * and large: `turn` counts the calls.
 */
export async function scrubLog(log: LogStore, turn = 0): Promise<readonly Scrubbed[]> {
  const results: Scrubbed[] = [];
  const runs = await log.runHeads();
  const run = runs.slice(turn % Math.max(1, runs.length)).slice(0, 1);
  for (const head of [...(await log.epochs()), ...run]) results.push(await scrubTree(head, log));
  return results;
}

async function scrubTree(head: LogHead, log: LogStore): Promise<Scrubbed> {
  const { tree, origin, size, root } = head;
  const wrong: StoredTile[] = [];
  const compare = async (tiles: readonly StoredTile[]) => {
    for (const one of tiles) {
      const stored = await log.tile(tree, one.tile);
      if (stored === null || Buffer.compare(stored, one.bytes) !== 0) wrong.push(one);
    }
  };
  const found = await rebuildTree(head, log, compare);
  if (found === null || !isSameBytes(found, root)) return { origin, size, mended: [], isDamaged: true };
  // Nobody appends to a tile at the edge while it is wrong, because its root is computed before.
  await log.keepTiles(tree, wrong);
  return { origin, size, mended: wrong.map(({ tile }) => tilePath(tile)), isDamaged: false };
}
