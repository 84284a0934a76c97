import type { Log } from '../adapters/system/log.ts';
import { pruneStores } from '../flows/prune-stores.ts';
import { reconcilePayments } from '../flows/reconcile-payments.ts';
import { finishPaidAnswer } from '../wire/paid-answer.ts';
import type { World } from './build-app.ts';

const PRUNE_EVERY_MS = 60_000;
const RECONCILE_EVERY_MS = 5_000;
/** Longer than any settlement takes that somebody is still waiting for. */
const SETTLING_GRACE_MS = 45_000;

export interface House {
  /** Begins nothing more and waits for what is under way. */
  leave(): Promise<void>;
}

type Housed = Pick<World, 'store' | 'facilitator' | 'authorizationLog' | 'now' | 'onFault'>;

/** Forgets what is old, and finds out what became of payments: at the start those that a crash left behind, then as it runs. */
export function keepHouse(world: Housed, log: Pick<Log, 'info' | 'error'>): House {
  const { store, facilitator, authorizationLog, now } = world;
  const reconcile = async (graceMs: number) => {
    const onFault = (fault: unknown) => world.onFault('reconciling', fault);
    const parts = {
      ledger: store.payments,
      facilitator,
      authorizationLog,
      finish: finishPaidAnswer,
      now,
      onFault,
    };
    const { settled, rejected, open } = await reconcilePayments(parts, graceMs);
    if (settled + rejected > 0) log.info({ settled, rejected, open }, 'payments reconciled');
  };
  const reconciling = repeat(
    RECONCILE_EVERY_MS,
    (round) => reconcile(round === 0 ? 0 : SETTLING_GRACE_MS),
    log,
  );
  const pruning = repeat(PRUNE_EVERY_MS, (round) => (round === 0 ? null : pruneStores(store, now())), log);
  return {
    async leave() {
      await Promise.all([reconciling(), pruning()]);
    },
  };
}

/** Runs at once and then again and again, never twice at the same time. Answers how to end it. */
function repeat(
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
