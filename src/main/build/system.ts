import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** The clock and the random bytes of this machine. */
export const SYSTEM = {
  now: () => new Date(),
  wait: (milliseconds: number): Promise<void> => sleep(milliseconds),
  stopwatch: () => performance.now(),
  entropy: (bytes: number): Uint8Array => randomBytes(bytes),
} as const;
