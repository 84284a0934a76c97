import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** Time and chance as the machine has them, for everything that is handed them. */
export const THIS_MACHINE = {
  now: () => new Date(),
  wait: (milliseconds: number): Promise<void> => sleep(milliseconds),
  /** Milliseconds that never jump. */
  stopwatch: () => performance.now(),
  entropy: (bytes: number): Uint8Array => randomBytes(bytes),
} as const;
