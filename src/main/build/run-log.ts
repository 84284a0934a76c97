import type { Store } from '../../adapters/store/store.ts';
import type { LogKeeper } from '../../flows/log/keep-log.ts';
import { createRunLog, type RunLog } from '../../flows/log/log-run.ts';
import type { Config } from '../config/config.ts';
import { logKeysOf } from './log-keys.ts';

export interface RunLogParts {
  readonly secret: string;
  readonly store: Pick<Store, 'transparencyLog'>;
  readonly logKeeper: LogKeeper;
}

/** The trees of the runs that this process publishes. */
export function runLogOf(
  { transparency }: Pick<Config, 'transparency'>,
  { secret, store, logKeeper }: RunLogParts,
): RunLog {
  return createRunLog({
    ...logKeysOf(transparency, secret),
    log: store.transparencyLog,
    keeper: logKeeper,
  });
}
