import { randomUUID } from 'node:crypto';
import type { Log } from '../../adapters/system/log.ts';
import type { LogKeeper } from '../../flows/log/keep-log.ts';
import type { LogState } from '../../flows/log/log-state.ts';
import { createPromiseReceipt } from '../../flows/log/promise-receipt.ts';
import { scrubDaily } from '../../flows/log/scrub-log.ts';
import { pruneStores } from '../../flows/operate/prune-stores.ts';
import { pruneAttribution } from '../../flows/operate/record-attribution.ts';
import { type ReconcilePorts, reconcilePayments } from '../../flows/pay/reconcile-payments.ts';
import { createFinishPaidAnswer } from '../../wire/payment/paid-answer.ts';
import type { Runtime } from '../build/build-app.ts';
import { LOG_FIX } from '../build/log-keeper.ts';
import { type BackgroundJob, type RoundsParts, startRounds } from './start-rounds.ts';

const PRUNE_EVERY_MS = 60_000;
const RECONCILE_EVERY_MS = 5_000;
/** A crash loses at most this much of the attribution of lookups. */
const RECORD_EVERY_MS = 1_000;
const WATCH_EVERY_MS = 5_000;
/** How long a receipt waits for its place in the log. */
const SEQUENCE_EVERY_MS = 1_000;
const SCRUB_LOOK_EVERY_MS = 3_600_000;
const WEEKS_EVERY_MS = 3_600_000;
/** Longer than the longest settlement that a request still waits for. */
const SETTLING_GRACE_MS = 45_000;

export interface BackgroundParts
  extends Pick<Runtime, 'store' | 'facilitator' | 'authorizationLog' | 'now' | 'onFault'> {
  readonly logKeeper: Pick<LogKeeper, 'round' | 'stop' | 'promise' | 'state'>;
  /** Finds changes at watched endpoints and tells their webhooks. */
  readonly watch: () => Promise<unknown>;
  readonly log: Pick<Log, 'info' | 'error'>;
  /** Tests bring their own. */
  readonly pause?: RoundsParts['pause'] | undefined;
}

/** Reconciles payments (at the start those of a crash, whatever their age), prunes old rows, stores attribution, tells webhooks, and sequences the log. */
export function startBackgroundJobs(parts: BackgroundParts): BackgroundJob {
  const { store, log, watch, logKeeper } = parts;
  const reconcile = createReconcile(parts);
  const prune = createPrune(parts);
  const record = () => store.attribution.flush();
  const jobs = [
    startRounds(
      RECONCILE_EVERY_MS,
      (round, stop) => reconcile(round === 0 ? 0 : SETTLING_GRACE_MS, stop),
      parts,
    ),
    startRounds(PRUNE_EVERY_MS, async (round) => (round === 0 ? null : prune()), parts),
    startRounds(RECORD_EVERY_MS, record, parts),
    startRounds(WATCH_EVERY_MS, async (round) => (round === 0 ? null : watch()), parts),
    startRounds(SEQUENCE_EVERY_MS, createSequence(parts), parts),
    startRounds(SCRUB_LOOK_EVERY_MS, async (round) => (round === 0 ? null : scrub(parts)), parts),
    startRounds(WEEKS_EVERY_MS, async () => store.receiptWeeks.prepare(await store.health.clock()), parts),
  ];
  return {
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()));
      // Requests were still served after the last round.
      const last = [record, () => logKeeper.round(), () => logKeeper.stop()];
      for (const one of last) {
        await one().catch((fault: unknown) => log.error({ fault: String(fault) }, 'background job'));
      }
    },
  };
}

/** One line when the log stops, and not one a second. */
function createSequence({ logKeeper, log }: BackgroundParts) {
  const last = { state: logKeeper.state() };
  return async () => {
    await logKeeper.round();
    const state = logKeeper.state();
    if (state !== last.state) noteLogState(state, log);
    last.state = state;
  };
}

export function noteLogState(state: LogState, log: Pick<Log, 'error'>): void {
  if (state === 'ok') return;
  log.error({ state, fix: LOG_FIX[state] }, 'the transparency log is not continued: see docs/operations.md');
}

function createReconcile(parts: BackgroundParts) {
  const { store, facilitator, authorizationLog, now, onFault, log } = parts;
  const finish = createFinishPaidAnswer(createPromiseReceipt(parts.logKeeper, now));
  const onUnreadable = onceEach(({ since }) =>
    onFault('reconciling', new Error(`the payment open since ${since.toISOString()} cannot be read`)),
  );
  return async (graceMs: number, stop: AbortSignal) => {
    const ports = {
      ledger: store.payments,
      facilitator,
      authorizationLog,
      finish,
      clock: { now },
      onFault: (fault: unknown) => onFault('reconciling', fault),
      onUnreadable,
      isStopped: () => stop.aborted,
    };
    const { settled, rejected, open } = await reconcilePayments(ports, graceMs);
    if (settled + rejected > 0) log.info({ settled, rejected, open }, 'payments reconciled');
  };
}

async function scrub({ store, now, log }: BackgroundParts): Promise<void> {
  const { jobs, transparencyLog } = store;
  const scrubbed = await scrubDaily({ jobs, log: transparencyLog, now, newId: () => randomUUID() });
  for (const { isDamaged, mended, ...epoch } of scrubbed ?? []) {
    if (isDamaged) log.error(epoch, 'the entries of the log do not give its signed root');
    else if (mended.length > 0)
      log.error({ ...epoch, mended }, 'tiles of the log were wrong and were repaired');
    else log.info(epoch, 'the log was read again and is in order');
  }
}

function createPrune({ store, now }: BackgroundParts) {
  return async () => {
    // The earlier clock: a process that runs ahead must not delete what the others still count and serve.
    const at = new Date(Math.min(now().getTime(), (await store.health.clock()).getTime()));
    await pruneStores(store, at);
    await pruneAttribution(store.attribution, at);
  };
}

const KEYS_MAX = 1_000;

/** Every round meets the same unreadable row; it is reported once. Its key names a payer and stays out of the log. */
function onceEach(report: ReconcilePorts['onUnreadable']): ReconcilePorts['onUnreadable'] {
  const reported = new Set<string>();
  return (found) => {
    if (reported.has(found.key) || reported.size === KEYS_MAX) return;
    reported.add(found.key);
    report(found);
  };
}
