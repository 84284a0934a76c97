/**
 * Asks at most once per `forMs`, and again when the clock was set back by as much: a value must not be kept until it has caught up.
 * Concurrent callers share the call, and a failure is not remembered.
 */
export function memoizeFor<T>(ask: () => Promise<T>, forMs: number, nowMs: () => number): () => Promise<T> {
  let last: { readonly value: Promise<T>; readonly at: number } | null = null;
  return () => {
    if (last !== null && Math.abs(nowMs() - last.at) < forMs) return last.value;
    const mine = { value: ask(), at: nowMs() };
    last = mine;
    mine.value.catch(() => {
      if (last === mine) last = null;
    });
    return mine.value;
  };
}
