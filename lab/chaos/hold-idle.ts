import { setTimeout as wait } from 'node:timers/promises';
import { median } from '../../tools/measure.ts';
import { type IdleClients, startIdleClients } from '../world/idle-clients.ts';
import type { Replica } from '../world/replicas.ts';
import type { HeldNote } from './evidence.ts';
import type { Journal } from './journal.ts';

export interface IdleParts {
  readonly replicas: readonly Replica[];
  /** Over all replicas. */
  readonly count: number;
  readonly journal: Pick<Journal, 'slow'>;
  readonly now: () => number;
}

/** Connections that do nothing. */
export interface Idle {
  /** Opens them, and looks for so long what they cost; they are held from then on, whatever else happens. */
  hold(calmMs: number): Promise<void>;
  /** Lets them go; null when there were none. */
  release(): Promise<HeldNote | null>;
  kill(): void;
}

/** What a replica takes, without room for everybody else: the traffic, and clients that are slow. */
const SHARE_MAX = 10_000 - 200;
const FULL_MS = 60_000;
const LOOK_MS = 500;
const GONE_MS = 10_000;

export function createIdle({ replicas, count, journal, now }: IdleParts): Idle {
  const share = Math.min(Math.ceil(count / replicas.length), SHARE_MAX);
  const wanted = share * replicas.length;
  const state: { clients: IdleClients | null; calm: Calm | null } = { clients: null, calm: null };
  return {
    async hold(calmMs) {
      if (count === 0) return;
      const bare = bytesOf(replicas);
      const ports = replicas.map(({ address }) => Number(new URL(address).port));
      state.clients = await startIdleClients(ports.map((port) => ({ port, share })));
      state.calm = await lookOn(state.clients, { wanted, bare, calmMs, replicas, now });
    },
    async release() {
      const { clients, calm } = state;
      if (clients === null || calm === null) return null;
      const { samples, opened, overdue } = await clients.release();
      journal.slow.push({ kind: 'idle', opened, cut: opened - overdue });
      const sums = samples.map(sum);
      await untilGone(replicas, now);
      return { wanted, most: Math.max(0, ...sums), median: median(sums), calm, opened };
    },
    kill: () => state.clients?.kill(),
  };
}

type Calm = HeldNote['calm'];

interface Looking extends Pick<IdleParts, 'replicas' | 'now'> {
  readonly wanted: number;
  readonly bare: number;
  readonly calmMs: number;
}

/** From the moment when all are there, or should be. */
async function lookOn(clients: IdleClients, looking: Looking): Promise<Calm> {
  const { wanted, bare, calmMs, replicas, now } = looking;
  const openedAt = now();
  while (sum(await clients.held()) < wanted && now() - openedAt < FULL_MS) await wait(LOOK_MS / 5);
  const startedAt = now();
  const seen: { readonly held: number; readonly bytes: number }[] = [];
  do {
    seen.push({ held: sum(await clients.held()), bytes: bytesOf(replicas) });
    await wait(LOOK_MS);
  } while (now() - startedAt < calmMs);
  const held = median(seen.map((one) => one.held));
  const bytes = median(seen.map((one) => one.bytes)) - bare;
  const bytesEach = Math.max(0, bytes / Math.max(1, held));
  return { startedAt, endedAt: now(), openedMs: startedAt - openedAt, median: held, bytesEach };
}

const FEW_FILES = 150;

/** A replica hears of so many ends one after the other. */
async function untilGone(replicas: readonly Replica[], now: () => number): Promise<void> {
  const isOpen = () => replicas.some((replica) => replica.taken().openFiles > FEW_FILES);
  const startedAt = now();
  while (isOpen() && now() - startedAt < GONE_MS) await wait(LOOK_MS);
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const bytesOf = (replicas: readonly Replica[]) => sum(replicas.map((replica) => replica.taken().rssBytes));
