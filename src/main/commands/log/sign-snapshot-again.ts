import { setImmediate as turn } from 'node:timers/promises';
import type { Store } from '../../../adapters/store/store.ts';
import { logSnapshot } from '../../../flows/snapshot/keep-snapshot.ts';
import { remakeSnapshot } from '../../../flows/snapshot/make-snapshot.ts';
import { secretOf } from '../../build/keep-secret.ts';
import { epochSigner } from '../../build/log-keys.ts';
import type { Config } from '../../config/config.ts';

/** After a receipt of the crawl was withdrawn or corrected. */
export async function signSnapshotAgain(store: Store, config: Config): Promise<void> {
  const { transparencyLog: log } = store;
  const signer = await epochSigner(log, config.transparency, secretOf(config));
  const made = await remakeSnapshot({ ...store, signer, pause: () => turn() });
  if (made.kind === 'made') await logSnapshot(made.snapshot, log);
}
