import type { Clock } from '../../ports/clock.ts';
import type { CrawlRow } from '../../ports/crawl-runs.ts';
import type { CrawlWork, HostFindings, HostHold } from '../../ports/crawl-work.ts';
import { renamed } from './check-listed.ts';

/** The lease of a host: the hosts of a dead worker are free after this. */
export const HOLD_MS = 20_000;
/** Rows that arrive within this time share a transaction. For a slow store the wait is as long as its last write. */
const GATHER_MS = { least: 10, most: 50 } as const;
/** Keep waiting while at least one in this many checks in flight arrives per wait: a transaction costs by pages. */
const ARRIVALS_SHARE = 8;
/** Bounds one transaction. */
const ROWS_AT_ONCE = 200;
const RENAMES_MAX = 8;

export interface Finding {
  readonly host: string;
  readonly normalized: string;
  readonly row: CrawlRow;
}

export interface FindingsKeeper {
  /** Resolves when the finding is durable: the end of the host's lease by the stopwatch, or null when the lease is lost. */
  keep(finding: Promise<Finding>): Promise<number | null>;
}

interface Entry {
  readonly found: Finding;
  readonly attempt: number;
  readonly resolve: (heldUntil: number | null) => void;
  readonly reject: (fault: unknown) => void;
}

/** Batches the findings of all hosts of a worker, one transaction after the other. */
export function findingsKeeper(
  holder: Pick<HostHold, 'runId' | 'owner'>,
  work: Pick<CrawlWork, 'done'>,
  { stopwatch, wait }: Pick<Clock, 'stopwatch' | 'wait'>,
): FindingsKeeper {
  const queue: Entry[] = [];
  const state = { isWriting: false, underWay: 0, tookMs: 0, onAllQueued: () => {} };
  const write = async (entries: readonly Entry[]): Promise<void> => {
    const from = stopwatch();
    const findings = byHost(entries);
    const answers = await work.done(holder, findings, HOLD_MS);
    const lost = new Set(findings.filter((_, index) => answers[index] === false).map(({ host }) => host));
    const refused = new Set(answers.flatMap((answer) => answer || []));
    for (const entry of entries) {
      if (lost.has(entry.found.host)) entry.resolve(null);
      else if (refused.has(entry.found.row)) queue.push(anotherId(entry, holder.runId));
      else entry.resolve(from + HOLD_MS);
    }
    state.tookMs = stopwatch() - from;
  };
  /** Ends early when every check in flight is waiting to be written. */
  const gather = async (): Promise<void> => {
    const all = new Promise<void>((resolve) => {
      state.onAllQueued = resolve;
    });
    const step = Math.min(GATHER_MS.most, Math.max(GATHER_MS.least, state.tookMs));
    for (let waited = 0; waited < GATHER_MS.most; waited += step) {
      const before = queue.length;
      await Promise.race([all, wait(step)]);
      const came = queue.length - before;
      if (state.underWay === 0 || came * ARRIVALS_SHARE < state.underWay) return;
    }
  };
  const writeAll = async (): Promise<void> => {
    // Between transactions the workers that just got their answer start the next check, so gather again.
    if (state.underWay > 0) await gather();
    while (queue.length > 0) {
      const entries = queue.splice(0, ROWS_AT_ONCE);
      await write(entries).catch((fault: unknown) => {
        for (const { reject } of entries) reject(fault);
      });
      if (queue.length > 0) await gather();
    }
    state.isWriting = false;
  };
  const settled = () => {
    state.underWay -= 1;
    if (state.underWay === 0) state.onAllQueued();
  };
  return {
    keep(finding) {
      state.underWay += 1;
      return new Promise((resolve, reject) => {
        const enqueue = (found: Finding) => {
          queue.push({ found, attempt: 0, resolve, reject });
          settled();
          if (state.isWriting) return;
          state.isWriting = true;
          void writeAll();
        };
        finding.then(enqueue, (fault: unknown) => {
          settled();
          reject(fault);
        });
      });
    },
  };
}

function byHost(entries: readonly Entry[]): readonly HostFindings[] {
  const hosts = new Map<string, CrawlRow[]>();
  for (const {
    found: { host, row },
  } of entries) {
    const rows = hosts.get(host);
    if (rows === undefined) hosts.set(host, [row]);
    else rows.push(row);
  }
  return [...hosts].map(([host, rows]) => ({ host, rows }));
}

/** The same finding under another id, after a collision (gap G54). */
function anotherId(entry: Entry, runId: string): Entry {
  const attempt = entry.attempt + 1;
  if (attempt === RENAMES_MAX) throw new Error('no free id for a receipt after several attempts');
  const { host, normalized, row } = entry.found;
  const receipt = renamed(row.receipt, runId, normalized, attempt);
  return { ...entry, attempt, found: { host, normalized, row: { urlKey: row.urlKey, receipt } } };
}
