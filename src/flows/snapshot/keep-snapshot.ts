import { manifestEntry } from '../../core/snapshot/snapshot-manifest.ts';
import type { Clock } from '../../ports/clock.ts';
import type { JobStore } from '../../ports/job-store.ts';
import type { LogStore } from '../../ports/log/transparency-log.ts';
import type { KeptSnapshot } from '../../ports/snapshot/snapshots.ts';
import { type MadeSnapshot, makeSnapshot, type SnapshotPorts } from './make-snapshot.ts';

const SNAPSHOT_JOB = 'snapshot';
/** Longer than a million rows take. A process that dies meanwhile delays the next attempt by this much. */
const LEASE_MS = 600_000;

export interface KeepSnapshotPorts extends SnapshotPorts, Pick<Clock, 'now'> {
  readonly jobs: JobStore;
  readonly log: SnapshotLog;
  readonly newId: () => string;
}

export type KeptSnapshotOutcome = MadeSnapshot | { readonly kind: 'made_elsewhere' };

/** Makes the snapshot of the latest run and has the log say which one it is: everybody gets the same file. */
export async function keepSnapshot(ports: KeepSnapshotPorts): Promise<KeptSnapshotOutcome> {
  const made = await makeOnce(ports);
  if (made.kind === 'made' || made.kind === 'there') await logSnapshot(made.snapshot, ports.log);
  return made;
}

export async function logSnapshot(
  { runId, manifest }: Pick<KeptSnapshot, 'runId' | 'manifest'>,
  log: SnapshotLog,
): Promise<void> {
  // After a change of the key the same file has another manifest.
  const entry = manifestEntry(runId, manifest);
  if ((await log.place(entry.id)) === null) await log.add([entry]);
}

type SnapshotLog = Pick<LogStore, 'add' | 'place'>;

/** Makes the snapshot of the latest run where there is none: one process at a time, so that others need not do it as well. */
async function makeOnce(ports: KeepSnapshotPorts): Promise<KeptSnapshotOutcome> {
  const [latest, run] = [await ports.snapshots.latest(), await ports.runs.latest()];
  if (run === null) return { kind: 'no_run' };
  if (latest !== null && latest.runId === run.id) return makeSnapshot(ports);
  const claim = { name: SNAPSHOT_JOB, holder: ports.newId(), now: ports.now(), leaseMs: LEASE_MS };
  if ((await ports.jobs.claim(claim)) === null) return { kind: 'made_elsewhere' };
  try {
    return await makeSnapshot(ports);
  } finally {
    await ports.jobs.finish({ ...claim, now: ports.now() }, JSON.stringify({ runId: run.id }));
  }
}
