import type { Log } from '../../adapters/system/log.ts';
import type { SnapshotKeeper } from '../build/snapshot-keeper.ts';
import { type BackgroundJob, startRounds } from './start-rounds.ts';

/** A run that another process published, and a store that was restored, get their snapshot within this time. */
const LOOK_EVERY_MS = 60_000;

export function startSnapshots(keep: SnapshotKeeper, log: Pick<Log, 'info' | 'error'>): BackgroundJob {
  const round = async (_: number, stop: AbortSignal) => {
    const made = await keep(() => stop.aborted);
    if (made.kind !== 'made') return;
    const { sha256, runId, size } = made.snapshot;
    log.info({ sha256, run: runId, endpoints: size }, 'snapshot');
  };
  return startRounds(LOOK_EVERY_MS, round, { log });
}
