/** Gives up after so long, even when `work` ignores its signal. */
export async function withDeadline<T>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | 'timed_out'> {
  const aborting = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<'timed_out'>((resolve) => {
    timer = setTimeout(() => {
      resolve('timed_out');
      aborting.abort();
    }, timeoutMs);
  });
  try {
    return await Promise.race([work(aborting.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}
