/** Time as the flows see it. Tests pass a clock that stands still. */
export interface Clock {
  now(): Date;
  wait(milliseconds: number): Promise<void>;
  /** Milliseconds from an arbitrary start; never runs backwards. */
  stopwatch(): number;
}
