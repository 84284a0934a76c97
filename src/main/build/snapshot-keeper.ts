import { setImmediate as turn } from 'node:timers/promises';
import type { Store } from '../../adapters/store/store.ts';
import { keyChange } from '../../flows/log/log-keys.ts';
import { type KeptSnapshotOutcome, keepSnapshot } from '../../flows/snapshot/keep-snapshot.ts';
import type { Config } from '../config/config.ts';
import { epochSigner, logKeysOf } from './log-keys.ts';
import { SYSTEM } from './system.ts';

export type SnapshotKeeper = (isStopped?: () => boolean) => Promise<KeptSnapshotOutcome>;

const ID_BYTES = 12;

/** Makes the snapshot of the latest run where there is none, signed with the key of the log. */
export function snapshotKeeper(
  { runs, snapshots, corrections, jobs, transparencyLog: log }: SnapshotStores,
  { transparency }: Pick<Config, 'transparency'>,
  secret: string,
): SnapshotKeeper {
  return async (isStopped = () => false) => {
    const head = await log.current();
    // During a rotation, or before it is restarted, a process has keys that are not those of the log.
    if (head !== null && keyChange(head, logKeysOf(transparency, secret).signersOf(head)).kind !== 'same')
      return { kind: 'made_elsewhere' };
    return keepSnapshot({
      runs,
      snapshots,
      corrections,
      jobs,
      log,
      signer: await epochSigner(log, transparency, secret),
      isStopped,
      pause: () => turn(),
      now: SYSTEM.now,
      newId: () => Buffer.from(SYSTEM.entropy(ID_BYTES)).toString('hex'),
    });
  };
}

type SnapshotStores = Pick<Store, 'runs' | 'snapshots' | 'corrections' | 'jobs' | 'transparencyLog'>;
