/** Asks at most once per `forMs`. Concurrent callers share the call, and a failure is not remembered. */
export function memoizeFor<T>(ask: () => Promise<T>, forMs: number, nowMs: () => number): MemoizedFor<T> {
  let asked: { readonly value: Promise<T>; readonly until: number; known?: { readonly value: T } } | null =
    null;
  const fresh = () => (asked !== null && nowMs() < asked.until ? asked : null);
  const get = () => {
    const known = fresh();
    if (known !== null) return known.value;
    const value = ask();
    const mine: NonNullable<typeof asked> = { value, until: nowMs() + forMs };
    asked = mine;
    value.then(
      (found) => {
        mine.known = { value: found };
      },
      () => {
        if (asked === mine) asked = null;
      },
    );
    return value;
  };
  return { get, atHand: () => fresh()?.known ?? null };
}

export interface MemoizedFor<T> {
  get(): Promise<T>;
  /** Without waiting; null when it would have to be asked for. */
  atHand(): { readonly value: T } | null;
}
