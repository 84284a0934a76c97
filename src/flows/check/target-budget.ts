import type { Counter } from '../../core/access/quota.ts';
import { utcMinute } from '../../core/access/utc-window.ts';

/** On whose behalf a target is probed. */
export interface Asker {
  /** A keyed hash of the caller's network prefix; null for the operator, who has no share. */
  readonly by: string | null;
  /** Paid checks and free live checks may use the whole minute of a target, dry runs two thirds of it (gap G101). */
  readonly mayUseReserve: boolean;
}

/** A host and port, or an address, and how many new probes it may get in a minute. */
export interface BudgetedTarget {
  readonly key: string;
  readonly perMinute: number;
}

export interface TargetBudget {
  readonly counters: readonly Counter[];
  /** True when nobody gets another probe in this minute; `used` is in the order of the counters. */
  isOverForAll(used: readonly number[]): boolean;
}

/** The new probes of each target in a minute, and those of one caller among them: a third at most (gap G101). */
export function targetBudget(
  targets: readonly BudgetedTarget[],
  { by, mayUseReserve }: Asker,
  now: Date,
): TargetBudget {
  const window = utcMinute(now);
  const third = (perMinute: number) => Math.floor(perMinute / 3);
  const ofAll = targets.map(({ key, perMinute }) => {
    const limit = mayUseReserve ? perMinute : Math.max(1, perMinute - third(perMinute));
    return { key: `probes:${key}`, window, limit };
  });
  const ofCaller =
    by === null
      ? []
      : targets.map(({ key, perMinute }) => {
          return { key: `probes:${key}:${by}`, window, limit: Math.max(1, third(perMinute)) };
        });
  return {
    counters: [...ofAll, ...ofCaller],
    isOverForAll: (used) => targets.some(({ perMinute }, index) => (used[index] ?? 0) >= perMinute),
  };
}
