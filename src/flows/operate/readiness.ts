import { memoizeFor } from '../../core/concurrency/memoize-for.ts';
import type { Clock } from '../../ports/clock.ts';
import type { SchemaState, StoreHealth } from '../../ports/store-health.ts';
import type { LogState } from '../log/log-state.ts';

/** The result of each check, by name. */
export interface Readiness {
  /** False: the load balancer should send callers to another process. */
  readonly isReady: boolean;
  readonly checks: {
    readonly store: 'ok' | 'failed' | 'slow';
    readonly schema: SchemaState | 'unknown';
    readonly process: 'ok' | 'stopping';
    /** Anything but `ok` is for the operator: callers are served all the same, without promises. */
    readonly log: LogState;
  };
}

export interface ReadinessParts extends Pick<Clock, 'stopwatch' | 'wait'> {
  readonly health: Pick<StoreHealth, 'write' | 'schema'>;
  readonly isStopping: () => boolean;
  readonly logState: () => LogState;
}

/** The store is written to at most once in this time. */
const FRESH_MS = 1_000;
/** A store that takes this long is reported as slow: the load balancer does not wait. */
const SLOW_MS = 3_000;

type StoreChecks = Pick<Readiness['checks'], 'store' | 'schema'>;
const SLOW: StoreChecks = { store: 'slow', schema: 'unknown' };

/** Ready: the process is not stopping, and its store takes writes and has our tables. */
export function createReadiness({
  health,
  isStopping,
  logState,
  stopwatch,
  wait,
}: ReadinessParts): () => Promise<Readiness> {
  let isLooking = false;
  const look = (): Promise<StoreChecks> => {
    // While a write hangs, no further one is started.
    if (isLooking) return Promise.resolve(SLOW);
    isLooking = true;
    const looking = lookAt(health).finally(() => {
      isLooking = false;
    });
    return Promise.race([looking, wait(SLOW_MS).then(() => SLOW)]);
  };
  const storeChecks = memoizeFor(look, FRESH_MS, stopwatch);
  return async () => {
    const process = isStopping() ? 'stopping' : 'ok';
    const checks = { ...(await storeChecks()), process, log: logState() } as const;
    const isReady =
      checks.store === 'ok' &&
      checks.process === 'ok' &&
      (checks.schema === 'ok' || checks.schema === 'newer');
    return { isReady, checks };
  };
}

async function lookAt(health: ReadinessParts['health']): Promise<StoreChecks> {
  const [write, schema] = await Promise.allSettled([health.write(), health.schema()]);
  return {
    store: write.status === 'fulfilled' ? 'ok' : 'failed',
    schema: schema.status === 'fulfilled' ? schema.value : 'unknown',
  };
}
