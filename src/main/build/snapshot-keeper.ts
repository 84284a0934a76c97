import { setImmediate as turn } from 'node:timers/promises';
import type { Store } from '../../adapters/store/store.ts';
import { type KeptSnapshotOutcome, keepSnapshot } from '../../flows/snapshot/keep-snapshot.ts';
import type { Config } from '../config/config.ts';
import { epochSigner } from './log-keys.ts';
import { SYSTEM } from './system.ts';

export type SnapshotKeeper = (isStopped?: () => boolean) => Promise<KeptSnapshotOutcome>;

const ID_BYTES = 12;

/** Makes the snapshot of the latest run where there is none, signed with the key of the log. */
export function snapshotKeeper(
  { runs, snapshots, jobs, transparencyLog: log }: SnapshotStores,
  { transparency }: Pick<Config, 'transparency'>,
  secret: string,
): SnapshotKeeper {
  return async (isStopped = () => false) =>
    keepSnapshot({
      runs,
      snapshots,
      jobs,
      log,
      signer: await epochSigner(log, transparency, secret),
      isStopped,
      pause: () => turn(),
      now: SYSTEM.now,
      newId: () => Buffer.from(SYSTEM.entropy(ID_BYTES)).toString('hex'),
    });
}

type SnapshotStores = Pick<Store, 'runs' | 'snapshots' | 'jobs' | 'transparencyLog'>;
