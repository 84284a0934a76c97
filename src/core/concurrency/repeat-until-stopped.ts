export interface RepeatParts {
  readonly isStopped: () => boolean;
  /** Must end early on stop. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Gets the number of faults in a row, so that an outage of an hour need not fill a log. */
  readonly onFault: (fault: unknown, inARow: number) => void;
  /** The first success after a fault. */
  readonly onRecovered?: () => void;
}

const BACKOFF_MS = { first: 1_000, most: 30_000 } as const;

/** Runs rounds one after another, with a pause between them. After a fault the pause is an exponential back-off. */
export async function repeatUntilStopped(
  everyMs: number,
  round: () => Promise<unknown>,
  { isStopped, pause, onFault, onRecovered = () => {} }: RepeatParts,
): Promise<void> {
  let faults = 0;
  while (!isStopped()) {
    try {
      await round();
      if (faults > 0) onRecovered();
      faults = 0;
    } catch (fault) {
      faults += 1;
      onFault(fault, faults);
    }
    const backoffMs = Math.min(BACKOFF_MS.first * 2 ** (faults - 1), BACKOFF_MS.most);
    if (!isStopped()) await pause(faults === 0 ? everyMs : backoffMs);
  }
}
