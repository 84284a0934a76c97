import type { Log } from '../adapters/system/log.ts';

/** Runs at once and then again and again, never twice at the same time. Answers how to end it. */
export function repeat(
  everyMs: number,
  work: (round: number) => Promise<unknown> | null,
  log: Pick<Log, 'error'>,
): () => Promise<void> {
  let round = 0;
  let running: Promise<void> | null = null;
  const run = () => {
    if (running !== null) return;
    const begun = work(round);
    round += 1;
    running = (begun ?? Promise.resolve())
      .then(() => {})
      .catch((fault: unknown) => log.error({ fault: String(fault) }, 'housekeeping'))
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
