import { fileLogMark } from '../../../adapters/log/log-mark.ts';
import type { Outcome } from '../../../cli/exit-code.ts';
import type { Arguments } from '../../../cli/read-arguments.ts';
import { beginNewEpoch } from '../../../flows/log/begin-epoch.ts';
import { NO_KEYS } from '../../../flows/log/log-keys.ts';
import type { Output } from '../output.ts';
import { withUsedStore } from '../with-used-store.ts';

/** assay log epoch: after a database was set back, or a key was stolen. The service that starts next signs the new epoch. */
export async function runLogEpoch(
  _given: Arguments,
  output: Output,
  environment?: NodeJS.ProcessEnv,
): Promise<Outcome> {
  return withUsedStore(output, environment, async (store, { dataDir }) => {
    const epoch = await beginNewEpoch(store.transparencyLog, NO_KEYS, fileLogMark(dataDir));
    if (epoch === null) return output.fail('this store has no log yet: start the service once');
    output.note(
      `the log goes on as ${epoch.origin}; restart every process of the service, and tell its witnesses`,
    );
    return 0;
  });
}
