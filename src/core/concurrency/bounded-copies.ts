/** Says how many may work on the same thing at once; null when there are too many, else a function that leaves. */
export type EnterCopy = (key: string) => (() => void) | null;

/** Keeps only the keys in progress, so its size is bounded by the requests in progress. */
export function boundedCopies(max: number): EnterCopy {
  const underWay = new Map<string, number>();
  return (key) => {
    const count = underWay.get(key) ?? 0;
    if (count >= max) return null;
    underWay.set(key, count + 1);
    return () => {
      const left = (underWay.get(key) ?? 1) - 1;
      if (left === 0) underWay.delete(key);
      else underWay.set(key, left);
    };
  };
}
