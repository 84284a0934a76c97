import { fileLogMark } from '../../adapters/log/log-mark.ts';
import type { Store } from '../../adapters/store/store.ts';
import { createLogKeeper, type LogKeeper } from '../../flows/log/keep-log.ts';
import type { Config } from '../config/config.ts';
import { logKeysOf } from './log-keys.ts';
import { SYSTEM } from './system.ts';

export interface LogKeeperParts {
  readonly secret: string;
  readonly store: Pick<Store, 'transparencyLog'>;
}

/** The transparency log of this process. */
export function logKeeperOf(
  { transparency, dataDir }: Pick<Config, 'transparency' | 'dataDir'>,
  { secret, store }: LogKeeperParts,
): LogKeeper {
  return createLogKeeper({
    ...transparency,
    ...logKeysOf(transparency, secret),
    log: store.transparencyLog,
    mark: fileLogMark(dataDir),
    stopwatch: SYSTEM.stopwatch,
    publish: null,
  });
}
