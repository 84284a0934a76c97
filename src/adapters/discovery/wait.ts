import { setTimeout } from 'node:timers/promises';

/** Real time; a signal ends it early, which is no error. */
export async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
}
