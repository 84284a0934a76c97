export interface KeepGoingParts {
  readonly isStopped: () => boolean;
  /** Ends early when it is told to stop. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Told of the first fault in a row only: whoever is away for an hour must not fill the log. */
  readonly onFault: (fault: unknown) => void;
  readonly onRecovered: () => void;
}

const BACKOFF_MS = { first: 1_000, most: 30_000 } as const;

/** One round after the other until it is stopped. A round that fails is tried again, each time a little later. */
export async function keepGoing(
  everyMs: number,
  round: () => Promise<void>,
  { isStopped, pause, onFault, onRecovered }: KeepGoingParts,
): Promise<void> {
  let faults = 0;
  while (!isStopped()) {
    try {
      await round();
      if (faults > 0) onRecovered();
      faults = 0;
    } catch (fault) {
      faults += 1;
      if (faults === 1) onFault(fault);
    }
    const backoffMs = Math.min(BACKOFF_MS.first * 2 ** (faults - 1), BACKOFF_MS.most);
    if (!isStopped()) await pause(faults === 0 ? everyMs : backoffMs);
  }
}
