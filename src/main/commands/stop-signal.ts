import { setTimeout as sleep } from 'node:timers/promises';
import type { RepeatParts } from '../../core/concurrency/repeat-until-stopped.ts';
import { faultText, type Output } from './output.ts';

/** Aborts on SIGTERM or Ctrl-C. Work in progress is finished: money may have moved for it. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}

/** Rounds that end with a signal; one note when faults begin and one when they are over. */
export function roundsUntil(stop: AbortSignal, { note }: Pick<Output, 'note'>): RepeatParts {
  return {
    isStopped: () => stop.aborted,
    pause: (milliseconds) => sleep(milliseconds, undefined, { signal: stop }).catch(() => {}),
    onFault: (fault, inARow) => {
      if (inARow === 1) note(`${faultText(fault)}; trying again`);
    },
    onRecovered: () => note('recovered'),
  };
}
