/** Keeps the last values that were put in, and forgets the oldest of them first. */
export interface BoundedCache<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
}

export interface Bytes<T> {
  /** How many bytes all values may have together; one that is larger by itself is not kept. */
  readonly max: number;
  readonly of: (value: T) => number;
}

/** Bounded by their number, and where what is kept is made of strangers' texts also by its size. */
export function boundedCache<T>(max: number, bytes: Bytes<T> | null = null): BoundedCache<T> {
  const values = new Map<string, T>();
  let held = 0;
  const sizeOf = (value: T | undefined) => (value === undefined || bytes === null ? 0 : bytes.of(value));
  const forget = (key: string) => {
    held -= sizeOf(values.get(key));
    values.delete(key);
  };
  const isFull = () => values.size > max || (bytes !== null && held > bytes.max);
  return {
    get: (key) => values.get(key),
    set(key, value) {
      forget(key);
      values.set(key, value);
      held += sizeOf(value);
      for (const oldest of values.keys()) {
        if (!isFull()) return;
        forget(oldest);
      }
    },
  };
}
