import type { SchemaState, StoreHealth } from '../../ports/store-health.ts';

/** Each check by its name, in our own words. */
export interface Readiness {
  /** False: callers had better be sent elsewhere. */
  readonly isReady: boolean;
  readonly checks: {
    readonly store: 'ok' | 'failed' | 'slow';
    readonly schema: SchemaState | 'unknown';
    readonly process: 'ok' | 'stopping';
  };
}

export interface ReadinessParts {
  readonly health: Pick<StoreHealth, 'write' | 'schema'>;
  readonly isStopping: () => boolean;
  /** Milliseconds that never jump. */
  readonly stopwatch: () => number;
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** However many ask, the store is written to once in this time. */
const FRESH_MS = 1_000;
/** Whoever asks wants to know now: a store that takes this long is as good as none. */
const SLOW_MS = 3_000;

type StoreChecks = Pick<Readiness['checks'], 'store' | 'schema'>;
const SLOW: StoreChecks = { store: 'slow', schema: 'unknown' };

/** Whether this process can serve: it was not told to stop, and its store can be written to and has our tables. */
export function createReadiness({
  health,
  isStopping,
  stopwatch,
  wait,
}: ReadinessParts): () => Promise<Readiness> {
  let last: { readonly from: number; readonly checks: Promise<StoreChecks> } | null = null;
  let isLooking = false;
  const look = (): Promise<StoreChecks> => {
    // One that hangs is not joined by another every second.
    if (isLooking) return Promise.resolve(SLOW);
    isLooking = true;
    const looking = lookAt(health).finally(() => {
      isLooking = false;
    });
    return Promise.race([looking, wait(SLOW_MS).then(() => SLOW)]);
  };
  return async () => {
    if (last === null || stopwatch() - last.from >= FRESH_MS) last = { from: stopwatch(), checks: look() };
    const checks = { ...(await last.checks), process: isStopping() ? 'stopping' : 'ok' } as const;
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
