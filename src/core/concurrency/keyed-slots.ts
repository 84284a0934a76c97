export interface KeyedSlots {
  /** Takes a slot of this key and returns what gives it back, or null when all are taken. */
  take(key: string): (() => void) | null;
}

/** What may run at once for one key, and over all of them. Only keys with a slot taken are remembered. */
export function createKeyedSlots({
  perKey,
  total = Number.POSITIVE_INFINITY,
}: {
  readonly perKey: number;
  readonly total?: number;
}): KeyedSlots {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    take(key) {
      const count = taken.get(key) ?? 0;
      if (count >= perKey || all >= total) return null;
      taken.set(key, count + 1);
      all += 1;
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        all -= 1;
        const left = (taken.get(key) ?? 1) - 1;
        if (left === 0) taken.delete(key);
        else taken.set(key, left);
      };
    },
  };
}
