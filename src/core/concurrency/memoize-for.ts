/** Asks at most once per `forMs`. Concurrent callers share the call, and a failure is not remembered. */
export function memoizeFor<T>(ask: () => Promise<T>, forMs: number, nowMs: () => number): () => Promise<T> {
  let last: { readonly value: Promise<T>; readonly until: number } | null = null;
  return () => {
    if (last !== null && nowMs() < last.until) return last.value;
    const mine = { value: ask(), until: nowMs() + forMs };
    last = mine;
    mine.value.catch(() => {
      if (last === mine) last = null;
    });
    return mine.value;
  };
}
