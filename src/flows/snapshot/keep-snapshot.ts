import type { Clock } from '../../ports/clock.ts';
import type { JobStore } from '../../ports/job-store.ts';
import { type MadeSnapshot, makeSnapshot, type SnapshotPorts } from './make-snapshot.ts';

const SNAPSHOT_JOB = 'snapshot';
/** Longer than a million rows take. A process that dies meanwhile delays the next attempt by this much. */
const LEASE_MS = 600_000;

export interface KeepSnapshotPorts extends SnapshotPorts, Pick<Clock, 'now'> {
  readonly jobs: JobStore;
  readonly newId: () => string;
}

/** Makes the snapshot of the latest run where there is none: one process at a time, so that others need not do it as well. */
export async function keepSnapshot(
  ports: KeepSnapshotPorts,
): Promise<MadeSnapshot | { readonly kind: 'made_elsewhere' }> {
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
