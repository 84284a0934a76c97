/** Collects what was started, so that all of it can be stopped, even after a start that failed halfway. */
export interface Stops {
  add(stop: () => Promise<void>): void;
  /** Concurrently: in sequence, one server could wait for an answer of another that is gone. A failure does not stop the rest. */
  stopAll(): Promise<void>;
}

export function createStops(): Stops {
  const started: (() => Promise<void>)[] = [];
  return {
    add(stop) {
      started.push(stop);
    },
    async stopAll() {
      const ends = await Promise.allSettled(started.splice(0).map((stop) => stop()));
      const failed = ends.find((end) => end.status === 'rejected');
      if (failed !== undefined) throw new Error('some parts could not be stopped', { cause: failed.reason });
    },
  };
}
