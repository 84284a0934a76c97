import type { Queries } from './tables.ts';

/** How an engine makes writes durable. A promise is kept only after the commit. */
export interface Writes {
  /** One statement, which is atomic by itself. */
  one<T>(work: Work<T>, options?: Pick<UnitOptions<T>, 'isRepeatable'>): Promise<T>;
  /** Statements that stay together: all are undone when `work` throws. */
  unit<T>(work: Work<T>, options?: UnitOptions<T>): Promise<T>;
  /** Refuses further writes and waits for those under way. */
  end(): Promise<void>;
}

export interface UnitOptions<T> {
  /** Runs first and without a lock; when it answers, there is nothing to write. */
  look?(queries: Queries): Promise<T | null>;
  /** False undoes what `work` did; its answer counts all the same. */
  keeps?(value: T): boolean;
  /** After a power cut it may be gone although it was answered, and then it is simply done again. */
  readonly isRepeatable?: boolean;
  /** Writes of this process that name the same lock run in the order in which they came. */
  readonly locks?: readonly string[];
}

/** Only queries, no other waiting: it may hold up everybody else, and it may run again on a clean state. */
export type Work<T> = (queries: Queries) => Promise<T>;

export interface PendingWrites {
  add<T>(start: () => Promise<T>): Promise<T>;
  end(): Promise<void>;
}

/** Knows the writes under way, so that closing a store loses none of them. */
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

/** More than a healthy store ever has; beyond it, failing at once is kinder than growing. */
const PENDING_MAX = 10_000;
