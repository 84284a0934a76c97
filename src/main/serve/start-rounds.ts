import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../adapters/system/log.ts';
import { repeatUntilStopped } from '../../core/concurrency/repeat-until-stopped.ts';

/** Something that runs beside the requests. */
export interface BackgroundJob {
  /** Starts no further round and waits for the one in progress. */
  stop(): Promise<void>;
}

export interface RoundsParts {
  readonly log: Pick<Log, 'error'>;
  /** Ends early on `stop`. */
  readonly pause?: ((milliseconds: number, stop: AbortSignal) => Promise<void>) | undefined;
}

/** Runs the first round now. Of faults in a row, the first, second, fourth and so on are logged. */
export function startRounds(
  everyMs: number,
  round: (number: number, stop: AbortSignal) => Promise<unknown>,
  { log, pause = abortableSleep }: RoundsParts,
): BackgroundJob {
  const stopping = new AbortController();
  const { signal } = stopping;
  let number = 0;
  const running = repeatUntilStopped(everyMs, () => round(number++, signal), {
    isStopped: () => signal.aborted,
    pause: (milliseconds) => pause(milliseconds, signal),
    onFault: (fault, inARow) => {
      if (Number.isInteger(Math.log2(inARow)))
        log.error({ fault: String(fault), faults: inARow }, 'background job');
    },
  });
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

function abortableSleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return sleep(milliseconds, undefined, { signal }).catch(() => {});
}
