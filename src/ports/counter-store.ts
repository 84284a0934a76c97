import type { Counter } from '../core/access/quota.ts';

/** What the counters said, in the order they were asked; `used` includes this use when it was granted. */
export interface Reserved {
  readonly granted: boolean;
  readonly used: readonly number[];
}

/** Counters that every process on the same store shares. */
export interface CounterStore {
  /** Raises all of these different counters by one if every one is below its limit, else none, in one atomic step. */
  reserve(counters: readonly Counter[]): Promise<Reserved>;
  /** How far these counters are, in the order they were asked for; nothing is counted. */
  used(counters: readonly Counter[]): Promise<readonly number[]>;
  /** Lowers a counter by one, never below zero. */
  giveBack(counter: Counter): Promise<void>;
  /**
   * Forgets windows that ended before this moment, at most `limit` rows; answers how many it forgot. Leave some slack: a
   * request that began inside a window may still give its use back.
   */
  prune(before: Date, limit: number): Promise<number>;
}
