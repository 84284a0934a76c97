import { askHttpWitness } from '../../adapters/log/http-witness.ts';
import { fileLogMark } from '../../adapters/log/log-mark.ts';
import type { Store } from '../../adapters/store/store.ts';
import type { Log } from '../../adapters/system/log.ts';
import { createLogKeeper, type LogKeeper } from '../../flows/log/keep-log.ts';
import type { LogState } from '../../flows/log/log-state.ts';
import { createCosignedPublisher } from '../../flows/log/witness/publish-cosigned.ts';
import type { Config } from '../config/config.ts';
import { logKeysOf } from './log-keys.ts';
import { readWitnesses } from './log-witnesses.ts';
import { SYSTEM } from './system.ts';

export interface LogKeeperParts {
  readonly secret: string;
  readonly store: Pick<Store, 'transparencyLog'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

export interface TransparencyParts {
  readonly logKeeper: LogKeeper;
  /** The lines of the policy about witnesses, when there are any. */
  readonly witnesses?: string;
  /** Seconds since the last cosignature of each witness. */
  readonly witnessAges: () => ReadonlyMap<string, number>;
}

/** The transparency log of this process. */
export function logKeeperOf(
  { transparency, dataDir }: Pick<Config, 'transparency' | 'dataDir'>,
  { secret, store, log }: LogKeeperParts,
): TransparencyParts {
  const keys = logKeysOf(transparency, secret);
  const keeping = {
    ...transparency,
    ...keys,
    log: store.transparencyLog,
    mark: fileLogMark(dataDir),
    stopwatch: SYSTEM.stopwatch,
  };
  if (transparency.policyFile === null) {
    return { logKeeper: createLogKeeper({ ...keeping, publish: null }), witnessAges: () => new Map() };
  }
  const { policy, text } = readWitnesses(transparency.policyFile);
  const { publish, ages } = createCosignedPublisher({
    ...keeping,
    policy,
    ask: askHttpWitness,
    now: SYSTEM.now,
    onChange: (witness, isAnswering, why) => {
      if (isAnswering) log.info({ witness }, 'witness answers');
      else log.warn({ witness, why }, 'witness does not answer');
    },
  });
  return { logKeeper: createLogKeeper({ ...keeping, publish }), witnesses: text, witnessAges: ages };
}

/** What an operator does about a log that is not continued. */
export const LOG_FIX: Readonly<Record<Exclude<LogState, 'ok'>, string>> = {
  starting: 'start the service',
  behind: 'bring the right database back, or run assay log epoch; keep log-mark',
  other_keys:
    'use the SECRET or the LOG_KEY of this log; if its secret was replaced, run assay log epoch and restart',
  other_origin: 'remove LOG_ORIGIN, or set it to the name of this log',
};
