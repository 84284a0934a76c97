/** Ends an exhaustive switch: a case that was forgotten fails to compile, not at run time. */
export function unreachable(value: never): never {
  throw new Error('a case that the types exclude was reached', { cause: value });
}
