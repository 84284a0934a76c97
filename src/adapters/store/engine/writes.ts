import type { Queries } from './tables.ts';

/** How an engine makes writes durable. Promises resolve after the commit. */
export interface Writes {
  /** One statement, which is atomic by itself. */
  one<T>(work: Work<T>, options?: Pick<UnitOptions<T>, 'isRepeatable'>): Promise<T>;
  /** Several statements in one transaction, rolled back when `work` throws. */
  unit<T>(work: Work<T>, options?: UnitOptions<T>): Promise<T>;
  /** Refuses further writes and waits for pending ones. */
  end(): Promise<void>;
}

export interface UnitOptions<T> {
  /** Runs first, without a lock. A result other than null is the answer, and nothing is written. */
  look?(queries: Queries): Promise<T | null>;
  /** False rolls back, and the value is still the answer. */
  keeps?(value: T): boolean;
  /** Need not survive a power cut: the caller would repeat it. */
  readonly isRepeatable?: boolean;
  /** Writes of this process with a lock in common run one after another, in order of arrival. */
  readonly locks?: readonly string[];
}

/** Awaits nothing but queries, because other writers wait for it. May run again after a rollback. */
export type Work<T> = (queries: Queries) => Promise<T>;

export interface PendingWrites {
  add<T>(start: () => Promise<T>): Promise<T>;
  end(): Promise<void>;
}

/** Tracks pending writes, so that closing a store waits for them. */
export function pendingWrites(): PendingWrites {
  const pending = new Set<Promise<unknown>>();
  const state = { ended: false };
  return {
    async add(start) {
      if (state.ended) throw new Error('the store is closed');
      if (pending.size >= PENDING_MAX) throw new Error('too many writes are waiting for the store');
      const write = start();
      pending.add(write);
      try {
        return await write;
      } finally {
        pending.delete(write);
      }
    },
    async end() {
      state.ended = true;
      await Promise.allSettled(pending);
    },
  };
}

/** More than a healthy store ever has. Beyond it, fail fast instead of growing. */
const PENDING_MAX = 10_000;
