import type { LogState } from '../../flows/log/log-state.ts';

/** What an operator does about a log that is not continued. */
export const LOG_FIX: Readonly<Record<Exclude<LogState, 'ok'>, string>> = {
  starting: 'start the service',
  behind: 'bring the right database back, or run assay log epoch; keep log-mark',
  other_keys:
    'use the SECRET or the LOG_KEY of this log; if its secret was replaced, run assay log epoch and restart',
  other_origin: 'remove LOG_ORIGIN, or set it to the name of this log',
};
