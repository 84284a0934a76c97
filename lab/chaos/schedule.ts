import { setTimeout as wait } from 'node:timers/promises';
import type { Fate } from '../world/facilitator-way.ts';
import type { Worker } from '../world/workers.ts';
import type { Chance } from './chance.ts';
import { type Faults, STEPS } from './faults.ts';
import type { FaultNote, Journal } from './journal.ts';
import type { SlowKind } from './slow-clients.ts';

export interface ScheduleParts {
  readonly faults: Faults;
  readonly journal: Journal;
  readonly chance: Chance;
  readonly workers: readonly Worker[];
  /** So many of them may be down at the same time. */
  readonly replicas: number;
  readonly hasServer: boolean;
  readonly hasDisk: boolean;
  readonly slow: readonly SlowKind[];
  readonly kills: number;
  readonly lastsMs: number;
  readonly now: () => number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LOOK_MS = 100;
const PAUSE_MS = { low: 500, high: 2_500 };

/** How many processes were ended by kill -9 so far. */
export function killsIn(faults: readonly FaultNote[]): number {
  return faults.filter(({ name }) => name.startsWith('kill') || name === 'PostgreSQL SIGKILL').length;
}

/** Three kinds of trouble at the same time, each one after the other, until there were enough kills. */
export async function runSchedule(parts: ScheduleParts): Promise<void> {
  const { journal, kills, lastsMs, now } = parts;
  const startedAt = now();
  const isOver = () => killsIn(journal.faults) >= kills && now() - startedAt >= lastsMs;
  await Promise.all([
    ...Array.from({ length: parts.replicas }, (_, lane) => killReplicas(parts, lane, startedAt, isOver)),
    inTurn(parts, others(parts), isOver),
    inTurn(parts, slowOnes(parts), isOver),
  ]);
}

/** All steps of a charge in turn, and now and then at no step at all; spread over the time that there is. */
async function killReplicas(
  { faults, journal, kills, lastsMs, replicas, now }: ScheduleParts,
  lane: number,
  startedAt: number,
  isOver: () => boolean,
): Promise<void> {
  const turns = STEPS.flatMap((step, index) =>
    index % 2 === 0
      ? [() => faults.killAfter(step)]
      : [() => faults.killAfter(step), () => faults.killAtRandom()],
  );
  for (let turn = lane; !isOver(); turn += replicas) {
    const due = () => startedAt + (killsIn(journal.faults) * lastsMs) / kills;
    while (due() > now() && !isOver()) await wait(LOOK_MS);
    if (killsIn(journal.faults) < kills) await turns[turn % turns.length]?.();
    await wait(LOOK_MS);
  }
}

type Trouble = () => Promise<void>;

const FATES: readonly Fate[] = [
  { kind: 'slow', milliseconds: 2_000 },
  { kind: 'wrong', how: 'html' },
  { kind: 'cut' },
  { kind: 'wrong', how: 'refusal' },
  { kind: 'gone' },
  { kind: 'wrong', how: 'other_payer' },
  { kind: 'slow', milliseconds: 12_000 },
  { kind: 'wrong', how: 'megabyte' },
];

function others({ faults, workers, hasServer, hasDisk, chance, now }: ScheduleParts): Trouble[] {
  const midnight = () => DAY_MS - (now() % DAY_MS) - chance.between(0, 1_000);
  const clocks = [() => 2 * HOUR_MS, () => -2 * HOUR_MS, midnight].map(
    (ahead) => () => faults.moveClock(ahead()),
  );
  const database = hasServer
    ? [() => faults.stopDatabase('SIGKILL'), () => faults.stopDatabase('SIGINT')]
    : [];
  return [
    ...FATES.map((fate) => () => faults.bendFacilitator(fate)),
    () => faults.killFacilitator(),
    ...workers.map((worker) => () => faults.killWorker(worker)),
    ...clocks,
    ...database,
    ...(hasDisk ? [() => faults.fillDisk()] : []),
  ];
}

function slowOnes({ faults, slow }: ScheduleParts): Trouble[] {
  return slow.map((kind) => () => faults.annoy(kind));
}

/** Each of them once, in an order of chance, then again. */
async function inTurn(
  { chance }: Pick<ScheduleParts, 'chance'>,
  troubles: readonly Trouble[],
  isOver: () => boolean,
): Promise<void> {
  while (!isOver() && troubles.length > 0) {
    for (const trouble of shuffled(troubles, chance)) {
      if (isOver()) return;
      await trouble();
      await wait(chance.between(PAUSE_MS.low, PAUSE_MS.high));
    }
  }
}

function shuffled<T>(values: readonly T[], chance: Chance): T[] {
  return values
    .map((value) => ({ value, at: chance.share() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ value }) => value);
}
