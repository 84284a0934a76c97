/** Places for requests under way to one host and port. */
export interface HostSlots {
  /** Takes a place and returns what gives it back, or null when all are taken. */
  take(place: string): (() => void) | null;
}

/** Counted in this process, per place and over all of them; a place that is left alone is forgotten. */
export function createHostSlots({
  perHost,
  total,
}: {
  readonly perHost: number;
  readonly total: number;
}): HostSlots {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    take(place) {
      const count = taken.get(place) ?? 0;
      if (count >= perHost || all >= total) return null;
      taken.set(place, count + 1);
      all += 1;
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        all -= 1;
        const left = (taken.get(place) ?? 1) - 1;
        if (left === 0) taken.delete(place);
        else taken.set(place, left);
      };
    },
  };
}
