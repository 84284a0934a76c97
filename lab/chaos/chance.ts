/** Chance that comes out the same for the same seed. */
export interface Chance {
  /** From 0 up to 1. */
  share(): number;
  /** A whole number from the first up to and without the second. */
  between(low: number, high: number): number;
  oneOf<T>(values: readonly [T, ...T[]]): T;
  /** Another one, whose numbers do not depend on how many were taken from this one. */
  split(name: string): Chance;
}

export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  const share = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (low: number, high: number) => low + Math.floor(share() * (high - low));
  return {
    share,
    between,
    oneOf: (values) => values[between(0, values.length)] ?? values[0],
    split: (name) =>
      createChance([...name].reduce((sum, sign) => Math.imul(sum, 31) + sign.charCodeAt(0), seed)),
  };
}
