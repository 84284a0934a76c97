import { setTimeout as wait } from 'node:timers/promises';
import type { Pool } from 'pg';
import { isServerAway } from './server-away.ts';

/** Longer than a quick failover, shorter than a client's timeout. */
const MOST_MS = 2_000;
const LOOK_EVERY_MS = 100;

/** Waits for the server if this fault means that it was away. True: worth another attempt. */
export type IsBack = (fault: unknown) => Promise<boolean>;

/**
 * Waits up to two seconds for a server that is away. All callers share one probe. Once the server has been away for longer,
 * calls fail at once until it is back.
 */
export function createRecovery(pool: Pool, mostMs: number = MOST_MS): IsBack {
  const state: { looking: Promise<boolean> | null; lastAway: number } = {
    looking: null,
    lastAway: -Infinity,
  };
  const look = async (): Promise<boolean> => {
    const giveUpAt = performance.now() + mostMs;
    while (performance.now() < giveUpAt) {
      await wait(LOOK_EVERY_MS);
      const seen = await pool.connect().then(
        (client) => {
          client.release();
          return 'back';
        },
        (fault: unknown) => (isServerAway(fault) ? 'away' : 'refusing'),
      );
      if (seen !== 'away') return seen === 'back';
    }
    state.lastAway = performance.now();
    return false;
  };
  return async (fault) => {
    if (!isServerAway(fault)) return false;
    if (state.looking === null && performance.now() - state.lastAway < mostMs) {
      state.lastAway = performance.now();
      return false;
    }
    state.looking ??= look().finally(() => {
      state.looking = null;
    });
    return state.looking;
  };
}
