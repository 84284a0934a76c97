import { setTimeout as wait } from 'node:timers/promises';
import type { KeepGoingParts } from '../core/concurrency/repeat-until-stopped.ts';
import type { Voice } from './commands/print-verified.ts';

/** For a process that goes on after a fault: one line when it begins, one when it is over. */
export function sayFaults({ say }: Pick<Voice, 'say'>, stop: AbortSignal): KeepGoingParts {
  return {
    isStopped: () => stop.aborted,
    pause: (milliseconds) => wait(milliseconds, undefined, { signal: stop }).catch(() => {}),
    onFault: (fault) => say(`${fault instanceof Error ? fault.message : 'it failed'}; trying again`),
    onRecovered: () => say('going on'),
  };
}
