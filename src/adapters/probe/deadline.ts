/** A moment after which nothing is waited for any more. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Ends the waiting and the timer behind it. */
  readonly close: () => void;
}

export function deadlineIn(ms: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, ms);
  outer?.addEventListener('abort', abort, { once: true });
  if (outer?.aborted === true) abort(); // An event that has passed is not heard again.
  return {
    signal: controller.signal,
    close: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', abort);
    },
  };
}

/** The result of the work, or null when the signal came first. The work itself is told by the same signal. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T | null> {
  if (signal.aborted) {
    work.catch(() => {});
    return null;
  }
  let abort = () => {};
  const aborted = new Promise<null>((resolve) => {
    abort = () => resolve(null);
    signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
    work.catch(() => {});
  }
}
