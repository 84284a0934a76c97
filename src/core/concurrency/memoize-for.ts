/**
 * A value that is asked for once in a while however many want it, such as the latest run. Whoever comes while it is being
 * fetched waits for the same answer. A failure is not remembered.
 */
export function remembered<T>(ask: () => Promise<T>, forMs: number, now: () => Date): Remembered<T> {
  let asked: { readonly value: Promise<T>; readonly until: number; known?: { readonly value: T } } | null =
    null;
  const fresh = () => (asked !== null && now().getTime() < asked.until ? asked : null);
  const get = () => {
    const known = fresh();
    if (known !== null) return known.value;
    const value = ask();
    const mine: NonNullable<typeof asked> = { value, until: now().getTime() + forMs };
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

export interface Remembered<T> {
  get(): Promise<T>;
  /** Without waiting; null when it would have to be asked for. */
  atHand(): { readonly value: T } | null;
}
