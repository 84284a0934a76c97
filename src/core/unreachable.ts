/** Ends an exhaustive switch: a missing case fails to compile. */
export function unreachable(value: never): never {
  throw new Error('a case that the types exclude was reached', { cause: value });
}
