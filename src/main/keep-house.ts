import type { Log } from '../adapters/system/log.ts';
import { pruneStores } from '../flows/operate/prune-stores.ts';
import { pruneAttribution } from '../flows/operate/record-attribution.ts';
import { type ReconcileParts, reconcilePayments } from '../flows/pay/reconcile-payments.ts';
import { finishPaidAnswer } from '../wire/payment/paid-answer.ts';
import type { World } from './build-app.ts';
import { repeat } from './repeat.ts';

const PRUNE_EVERY_MS = 60_000;
const RECONCILE_EVERY_MS = 5_000;
/** So much of what is known about lookups a crash may lose. */
const RECORD_EVERY_MS = 1_000;
/** Longer than any settlement takes that somebody is still waiting for. */
const SETTLING_GRACE_MS = 45_000;

export interface House {
  /** Begins nothing more and waits for what is under way. */
  leave(): Promise<void>;
}

type Housed = Pick<World, 'store' | 'facilitator' | 'authorizationLog' | 'now' | 'onFault'>;

/**
 * Forgets what is old, writes down what was looked up, and finds out what became of payments: at the start those that a
 * crash left behind, then as it runs.
 */
export function keepHouse(world: Housed, log: Pick<Log, 'info' | 'error'>): House {
  const { store, facilitator, authorizationLog, now } = world;
  const leaving = { now: false };
  const onUnreadable = onceEach(({ since }) =>
    world.onFault(
      'reconciling',
      new Error(`the payment that is open since ${since.toISOString()} cannot be read`),
    ),
  );
  const reconcile = async (graceMs: number) => {
    const onFault = (fault: unknown) => world.onFault('reconciling', fault);
    const parts = {
      ledger: store.payments,
      facilitator,
      authorizationLog,
      finish: finishPaidAnswer,
      now,
      onFault,
      onUnreadable,
      isStopped: () => leaving.now,
    };
    const { settled, rejected, open } = await reconcilePayments(parts, graceMs);
    if (settled + rejected > 0) log.info({ settled, rejected, open }, 'payments reconciled');
  };
  const reconciling = repeat(
    RECONCILE_EVERY_MS,
    (round) => reconcile(round === 0 ? 0 : SETTLING_GRACE_MS),
    log,
  );
  const prune = async () => {
    // A process whose clock runs ahead must not forget what the others still count and still answer.
    const at = new Date(Math.min(now().getTime(), (await store.health.clock()).getTime()));
    await pruneStores(store, at);
    await pruneAttribution(store.attribution, at);
  };
  const pruning = repeat(PRUNE_EVERY_MS, (round) => (round === 0 ? null : prune()), log);
  const record = () => store.attribution.flush();
  const recording = repeat(RECORD_EVERY_MS, record, log);
  return {
    async leave() {
      leaving.now = true;
      await Promise.all([reconciling(), pruning(), recording()]);
      // Callers are served until shortly before.
      await record().catch((fault: unknown) => log.error({ fault: String(fault) }, 'housekeeping'));
    },
  };
}

/** More than a person would look at. */
const TOLD_MAX = 1_000;

/** The same row is met in every round; it is told of once. Its key names a payer and stays out of the log. */
function onceEach(tell: ReconcileParts['onUnreadable']): ReconcileParts['onUnreadable'] {
  const told = new Set<string>();
  return (found) => {
    if (told.has(found.key) || told.size === TOLD_MAX) return;
    told.add(found.key);
    tell(found);
  };
}
