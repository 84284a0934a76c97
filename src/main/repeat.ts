import type { Log } from '../adapters/system/log.ts';

/**
 * Runs at once and then again and again, never twice at the same time. Of faults in a row the first, second, fourth and so
 * on are logged: a store that is away for an hour must not fill the log. Answers how to end it.
 */
export function repeat(
  everyMs: number,
  work: (round: number) => Promise<unknown> | null,
  log: Pick<Log, 'error'>,
): () => Promise<void> {
  let round = 0;
  let faults = 0;
  let running: Promise<void> | null = null;
  const run = () => {
    if (running !== null) return;
    const begun = work(round);
    round += 1;
    running = (begun ?? Promise.resolve())
      .then(() => {
        faults = 0;
      })
      .catch((fault: unknown) => {
        faults += 1;
        if (Number.isInteger(Math.log2(faults))) log.error({ fault: String(fault), faults }, 'housekeeping');
      })
      .finally(() => {
        running = null;
      });
  };
  const timer = setInterval(run, everyMs);
  run();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
