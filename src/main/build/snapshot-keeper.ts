import { setImmediate as turn } from 'node:timers/promises';
import type { Store } from '../../adapters/store/store.ts';
import type { NoteSigner } from '../../core/log/note.ts';
import { keepSnapshot } from '../../flows/snapshot/keep-snapshot.ts';
import { SYSTEM } from './system.ts';

export type SnapshotKeeper = (isStopped?: () => boolean) => ReturnType<typeof keepSnapshot>;

const ID_BYTES = 12;

/** Makes the snapshot of the latest run where there is none. */
export function snapshotKeeper(
  { runs, snapshots, jobs }: Pick<Store, 'runs' | 'snapshots' | 'jobs'>,
  signer: NoteSigner,
): SnapshotKeeper {
  return (isStopped = () => false) =>
    keepSnapshot({
      runs,
      snapshots,
      jobs,
      signer,
      isStopped,
      pause: () => turn(),
      now: SYSTEM.now,
      newId: () => Buffer.from(SYSTEM.entropy(ID_BYTES)).toString('hex'),
    });
}
