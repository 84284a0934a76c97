const RENEW_MS = 20_000;
/** A wait cannot be cancelled, so it is short: stopping takes at most this long. */
const STEP_MS = 250;

export interface WaitParts {
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** Renews a lease while the work runs. `look` is called on every step, to end the work early. */
export async function whileHeld<T>(
  work: Promise<T>,
  renew: () => Promise<void>,
  { wait }: WaitParts,
  look: () => void = () => {},
): Promise<T> {
  const over = { done: false };
  const finished = work.finally(() => {
    over.done = true;
  });
  const renewing = async () => {
    for (let waited = STEP_MS; !over.done; waited += STEP_MS) {
      await Promise.race([wait(STEP_MS), finished.catch(() => {})]);
      look();
      // A failed renewal is repeated long before the lease expires, and must not leave the work unawaited.
      if (!over.done && waited % RENEW_MS === 0) await renew().catch(() => {});
    }
  };
  const [result] = await Promise.all([finished, renewing()]);
  return result;
}
