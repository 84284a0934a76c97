/**
 * A value that is asked for once in a while however many want it, such as the latest run. Whoever comes while it is being
 * fetched waits for the same answer. A failure is not remembered.
 */
export function remembered<T>(ask: () => Promise<T>, forMs: number, now: () => Date): () => Promise<T> {
  let known: { readonly value: Promise<T>; readonly until: number } | null = null;
  return () => {
    const time = now().getTime();
    if (known !== null && time < known.until) return known.value;
    const value = ask();
    const mine = { value, until: time + forMs };
    known = mine;
    value.catch(() => {
      if (known === mine) known = null;
    });
    return value;
  };
}
