/** Time, passed in so that tests control it. */
export interface Clock {
  now(): Date;
  wait(milliseconds: number): Promise<void>;
  /** Milliseconds from an arbitrary start; never runs backwards. */
  stopwatch(): number;
}
