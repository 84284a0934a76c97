/** A re-armable signal: `Promise.race` in a loop leaks a reaction on every promise that never settles. */
export interface Signal {
  /** Resolves every promise that `next` has returned since the last call. */
  fire(): void;
  next(): Promise<void>;
}

export function signal(): Signal {
  let resolve = () => {};
  let armed: Promise<void> | null = null;
  return {
    fire() {
      armed = null;
      resolve();
    },
    next() {
      armed ??= new Promise((settle) => {
        resolve = settle;
      });
      return armed;
    },
  };
}
