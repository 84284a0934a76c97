import { setTimeout as wait } from 'node:timers/promises';
import type { ChargeStep } from '../../src/flows/pay/charge.ts';
import type { Buyer } from '../world/buyers.ts';
import type { Fate } from '../world/facilitator-way.ts';
import type { Way } from '../world/mcp-line.ts';
import type { Replica } from '../world/replicas.ts';
import type { Worker } from '../world/workers.ts';
import type { World } from '../world/world.ts';
import type { Chance } from './chance.ts';
import type { Clients } from './clients.ts';
import type { FaultNote, Journal } from './journal.ts';
import { bother, type SlowKind } from './slow-clients.ts';
import { PAID_LOOKUP, purchase } from './traffic.ts';

export interface FaultParts {
  readonly world: World;
  readonly workers: readonly Worker[];
  readonly clients: Clients;
  readonly journal: Journal;
  readonly chance: Chance;
  readonly now: () => number;
}

export const STEPS: readonly ChargeStep[] = [
  'verified',
  'claimed',
  'worked',
  'prepared',
  'settled',
  'frozen',
];

/** What can go wrong, and is undone again by whoever makes it. */
export interface Faults {
  killAtRandom(): Promise<void>;
  killAfter(step: ChargeStep): Promise<void>;
  killWorker(worker: Worker): Promise<void>;
  killFacilitator(): Promise<void>;
  stopDatabase(how: 'SIGKILL' | 'SIGINT'): Promise<void>;
  bendFacilitator(fate: Fate): Promise<void>;
  moveClock(aheadMs: number): Promise<void>;
  fillDisk(): Promise<void>;
  annoy(kind: SlowKind): Promise<void>;
  /** When the clients whose replica died under them have heard what became of their payments. */
  calm(): Promise<void>;
}

/** A caller beside those of the traffic, and how long a fault lasts. */
const CALLER = 1_000_000;
const LASTS_MS = { low: 1_000, high: 4_000 };
const DEATH_MS = 20_000;
/** Those that never read cost the service more than the others: it works for them first. */
const SLOW_CLIENTS = { 'slow headers': 50, 'slow bodies': 50, 'never reading': 8 } as const;

export function createFaults(parts: FaultParts): Faults {
  const { world, clients, journal, chance, now } = parts;
  const { surroundings, database } = world;
  const noting = async (note: Omit<FaultNote, 'startedAt' | 'endedAt'>, work: () => Promise<void>) => {
    const fault: FaultNote = { ...note, startedAt: now(), endedAt: null };
    journal.faults.push(fault);
    await work();
    fault.endedAt = now();
  };
  const held = new Set<Replica>();
  const orders: Promise<void>[] = [];
  const lasts = () => wait(chance.between(LASTS_MS.low, LASTS_MS.high));
  /** One that nobody else is at, for as long as the work takes. */
  const withReplica = async (work: (replica: Replica) => Promise<void>) => {
    const free = world.replicas.filter((replica) => !held.has(replica));
    const replica = free[chance.between(0, free.length)];
    if (replica === undefined) return;
    held.add(replica);
    await work(replica).finally(() => held.delete(replica));
  };
  return {
    killAtRandom: () =>
      withReplica(async (replica) => {
        replica.prepare();
        await wait(chance.between(0, 1_000));
        await noting(
          { name: 'kill a replica at random', replica: replica.name, over: 'answer' },
          async () => {
            await replica.kill();
            await replica.start();
          },
        );
      }),
    killAfter: (step) =>
      withReplica(async (replica) => {
        replica.prepare();
        await replica.dieAfter(step);
        const buyer = world.buyers[0];
        const way = chance.oneOf<Way>(['http', 'mcp']);
        const order = () => {
          const ordered = buyer === undefined ? Promise.resolve() : orderAt(replica, { clients, buyer, way });
          orders.push(ordered);
          return ordered;
        };
        const isDead = await diesOf(replica, order);
        const note = isDead
          ? { name: 'kill a replica after a step', step }
          : { name: 'kill a replica at random' };
        await noting({ ...note, replica: replica.name, over: 'answer' }, async () => {
          if (!isDead) await replica.kill();
          await replica.start();
        });
      }),
    killWorker: (worker) =>
      noting({ name: `kill the ${worker.name}`, replica: null, over: 'answer' }, async () => {
        await worker.kill();
        await lasts();
        await startAgain(() => worker.start());
      }),
    killFacilitator: () =>
      noting({ name: 'kill the facilitator', replica: null, over: 'paid' }, async () => {
        await surroundings.facilitator.kill();
        await lasts();
        await surroundings.facilitator.start();
      }),
    stopDatabase: (how) =>
      noting({ name: `PostgreSQL ${how}`, replica: null, over: 'stored' }, async () => {
        await database.power?.off(how);
        await wait(chance.between(0, LASTS_MS.low));
        await database.power?.on();
      }),
    bendFacilitator: (fate) =>
      noting({ name: `facilitator ${nameOf(fate)}`, replica: null, over: 'paid' }, async () => {
        surroundings.facilitator.way.treat(fate);
        await lasts();
        surroundings.facilitator.way.treat({ kind: 'fine' });
      }),
    async moveClock(aheadMs) {
      const replica = world.replicas[chance.between(0, world.replicas.length)];
      if (replica === undefined) return;
      // It may be dying meanwhile; whoever comes after it has the clock that it was given last.
      const move = (ms: number) => replica.moveClock(ms).catch(() => {});
      await noting({ name: 'clock step', replica: replica.name, over: 'answer' }, async () => {
        await move(aheadMs);
        await lasts();
        await move(0);
      });
    },
    fillDisk: () =>
      noting({ name: 'disk full', replica: null, over: 'stored' }, async () => {
        database.disk?.fill();
        await lasts();
        database.disk?.clear();
      }),
    annoy: (kind) => {
      const replica = world.replicas[chance.between(0, world.replicas.length)];
      if (replica === undefined) return Promise.resolve();
      const count = SLOW_CLIENTS[kind];
      return noting({ name: kind, replica: replica.name, over: 'answer' }, () =>
        bother({ address: replica.address, kind, count, journal }),
      );
    },
    async calm() {
      await Promise.all(orders);
    },
  };
}

function nameOf(fate: Fate): string {
  return fate.kind === 'wrong' ? `wrong: ${fate.how}` : fate.kind;
}

/** A purchase that begins at this replica, by a client that keeps to the rules wherever it ends. */
async function orderAt(
  first: Replica,
  { way, ...parts }: { clients: Clients; buyer: Buyer; way: Way },
): Promise<void> {
  await purchase(parts, PAID_LOOKUP, CALLER, { first, way });
}

/** Orders again and again until the replica is gone, for an order may fail for another reason; false when it never is. */
async function diesOf(replica: Replica, order: () => Promise<void>): Promise<boolean> {
  const died = replica.died().then(() => true);
  const giveUp = wait(DEATH_MS, false, { ref: false });
  for (;;) {
    // The client goes on with the same payment at another replica; that is waited for at the end.
    const first = await Promise.race([died, giveUp, order().then(() => null)]);
    if (first !== null) return first;
  }
}

const STARTS_MAX = 20;

async function startAgain(start: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start();
    } catch (fault) {
      if (attempt === STARTS_MAX) throw fault;
      await wait(LASTS_MS.low);
    }
  }
}
