import { setImmediate as turn } from 'node:timers/promises';
import type { Store } from '../../../adapters/store/store.ts';
import { logSnapshot } from '../../../flows/snapshot/keep-snapshot.ts';
import { remakeSnapshot } from '../../../flows/snapshot/make-snapshot.ts';
import { secretOf } from '../../build/keep-secret.ts';
import { LOG_FIX } from '../../build/log-keeper.ts';
import { epochSigner, hasKeyOfLog } from '../../build/log-keys.ts';
import { requireSameSecret } from '../../build/same-secret.ts';
import type { Config } from '../../config/config.ts';

/** Asked before anything is changed. Null when this process may sign; throws for the secret of another store. */
export async function faultOfKeys(
  store: Pick<Store, 'secretMark' | 'transparencyLog'>,
  { transparency }: Config,
  secret: string,
): Promise<string | null> {
  await requireSameSecret(secret, store.secretMark);
  return (await hasKeyOfLog(store.transparencyLog, transparency, secret)) ? null : OTHER_KEY;
}

const OTHER_KEY = `the log has another key, with which the snapshot has to be signed again: ${LOG_FIX.other_keys}`;

/** After a receipt of the crawl was withdrawn or corrected. */
export async function signSnapshotAgain(store: Store, config: Config): Promise<void> {
  const { transparencyLog: log } = store;
  const signer = await epochSigner(log, config.transparency, secretOf(config));
  const made = await remakeSnapshot({ ...store, signer, pause: () => turn() });
  if (made.kind === 'made') await logSnapshot(made.snapshot, log);
}
