import { setTimeout as wait } from 'node:timers/promises';
import { openLine } from '../world/callers.ts';
import type { StoreKind } from '../world/database.ts';
import { createWorker, type Worker } from '../world/workers.ts';
import { startWorld, type World } from '../world/world.ts';
import { createChance } from './chance.ts';
import { checkLog } from './check/check-log.ts';
import { checkPayments } from './check/check-payments.ts';
import { checkService } from './check/check-service.ts';
import type { Violation } from './check/violation.ts';
import { createClients } from './clients.ts';
import type { Evidence, TakenNote } from './evidence.ts';
import { createFaults } from './faults.ts';
import { untilReconciled } from './gather.ts';
import { gatherEvidence } from './gather-evidence.ts';
import { createIdle } from './hold-idle.ts';
import { type Journal, newJournal } from './journal.ts';
import { runSchedule } from './schedule.ts';
import type { SlowKind } from './slow-clients.ts';
import { runTraffic } from './traffic.ts';

export interface ChaosOptions {
  readonly store: StoreKind;
  readonly seed: number;
  readonly kills: number;
  readonly minutes: number;
  /** Clients at once. */
  readonly lanes: number;
  /** Connections that do nothing, over all replicas. */
  readonly idle: number;
  /** Clients that are slow on purpose; some of them take half a minute to be let go. */
  readonly slow: readonly SlowKind[];
  /** Crawl and known-answer runner, as they are run on this store. */
  readonly workers: boolean;
  readonly say: (line: string) => void;
  /** Whoever ends it early leaves nothing behind, either. */
  readonly stop?: AbortSignal;
}

export interface ChaosResult {
  readonly evidence: Evidence;
  readonly violations: readonly Violation[];
  readonly lastedMs: number;
  readonly reconciledMs: number;
  readonly disk: boolean;
}

/** Enough for every buyer: the hourly limit of paid checks is tested elsewhere. */
const SETTINGS = { PAID_CHECKS_PER_HOUR: '100000', PRICED_PROBES_PER_HOUR: '100000' };
const DISK_MEGABYTES = 64;
const WARM_UP_MS = 4_000;
/** How much of the time is left to the connections that do nothing, before anything else goes wrong. */
const CALM_SHARE = 8;
const CALM_MAX_MS = 30_000;

/** Trouble of all kinds while correct clients go on; then quiet, and a look at what everybody has. */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const journal = newJournal();
  const onFall = (what: string) => journal.falls.push(what);
  const { store, workers } = options;
  const world = await startWorld({
    store,
    replicas: store === 'postgres' ? 2 : 1,
    settings: SETTINGS,
    crawls: workers && store === 'sqlite',
    diskMegabytes: DISK_MEGABYTES,
    onFall,
  });
  const stopped = new Promise<never>((_, reject) => {
    options.stop?.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
  });
  try {
    return await Promise.race([trouble(options, world, journal), stopped]);
  } finally {
    await world.stop();
  }
}

async function trouble(options: ChaosOptions, world: World, journal: Journal): Promise<ChaosResult> {
  const { surroundings, database, replicas, buyers } = world;
  const now = () => Date.now();
  const line = openLine();
  const chance = createChance(options.seed);
  const clients = createClients({ replicas, line, journal, now });
  const onFall = (what: string) => journal.falls.push(what);
  const workers = workersOf(options).map((name) => createWorker(name, { database, surroundings, onFall }));
  for (const worker of workers) await worker.start();
  const over = { traffic: false };
  const startedAt = now();
  const traffic = runTraffic(
    { clients, journal, buyers, sellers: surroundings.sellers, chance, isOver: () => over.traffic },
    options.lanes,
  );
  const idle = createIdle({ replicas, count: options.idle, journal, now });
  const faults = createFaults({ world, workers, clients, journal, chance: chance.split('faults'), now });
  try {
    await wait(WARM_UP_MS);
    const before = replicas.map((replica) => replica.taken());
    const lastsMs = options.minutes * 60_000;
    await idle.hold(Math.min(CALM_MAX_MS, lastsMs / CALM_SHARE));
    const schedule = { ...options, lastsMs, workers, faults, journal, now, chance: chance.split('schedule') };
    await runSchedule({ ...schedule, ...whatThereIs(world) });
    const lastedMs = now() - startedAt;
    options.say(`trouble is over after ${Math.round(lastedMs / 1_000)} s; waiting for quiet`);
    over.traffic = true;
    const held = await idle.release();
    await Promise.all([traffic, faults.calm()]);
    const gathering = { world, clients, journal, now };
    const reconciledMs = await untilReconciled(gathering);
    options.say('every payment has an outcome, or will not have one; the runner finishes its calls');
    for (const worker of workers) await worker.finish();
    options.say('asking for every receipt and every paid answer once more');
    const taken = replicas.map((replica, index): TakenNote => {
      const first = before[index] ?? replica.taken();
      return { name: replica.name, before: first, after: replica.taken() };
    });
    const evidence = { ...(await gatherEvidence(gathering, options.workers)), taken, held };
    const violations = [...checkPayments(evidence), ...checkService(evidence), ...checkLog(evidence)];
    return { evidence, violations, lastedMs, reconciledMs, disk: database.disk !== null };
  } finally {
    over.traffic = true;
    idle.kill();
    for (const worker of workers) await worker.kill();
    await line.close();
  }
}

function whatThereIs({ replicas, database }: World) {
  const { power, disk } = database;
  return { replicas: replicas.length, hasServer: power !== null, hasDisk: disk !== null };
}

/** Processes beside the replicas. A service on a file crawls by itself. */
function workersOf({ store, workers }: ChaosOptions): readonly Worker['name'][] {
  if (!workers) return [];
  return store === 'postgres' ? ['crawler', 'verifier'] : ['verifier'];
}
