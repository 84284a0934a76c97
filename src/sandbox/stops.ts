/** What was started, so that all of it can be stopped, also after a start that failed halfway. */
export interface Stops {
  add(stop: () => Promise<void>): void;
  /** All at once: nothing that is under way has to wait for an answer that will not come. One that fails holds up no other. */
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
      if (failed !== undefined) throw new Error('not everything could be stopped', { cause: failed.reason });
    },
  };
}
