/** Keeps the last `max` values that were put in, and forgets the oldest of them first. */
export interface BoundedCache<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
}

export function boundedCache<T>(max: number): BoundedCache<T> {
  const values = new Map<string, T>();
  return {
    get: (key) => values.get(key),
    set(key, value) {
      values.delete(key);
      values.set(key, value);
      if (values.size <= max) return;
      for (const oldest of values.keys()) {
        values.delete(oldest);
        break;
      }
    },
  };
}
