/** Places for requests under way to one host and port. */
export interface HostSlots {
  /** Takes a place and returns what gives it back, or null when all are taken. */
  take(place: string): (() => void) | null;
}

/** Counted in this process; a host that is left alone is forgotten. */
export function createHostSlots(perHost: number): HostSlots {
  const taken = new Map<string, number>();
  return {
    take(place) {
      const count = taken.get(place) ?? 0;
      if (count >= perHost) return null;
      taken.set(place, count + 1);
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        const left = (taken.get(place) ?? 1) - 1;
        if (left === 0) taken.delete(place);
        else taken.set(place, left);
      };
    },
  };
}
