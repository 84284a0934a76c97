/** A list with at least one element. */
export type NonEmpty<T> = readonly [T, ...T[]];

export function isNonEmpty<T>(list: readonly T[]): list is NonEmpty<T> {
  return list.length > 0;
}

export function mapNonEmpty<T, U>([first, ...rest]: NonEmpty<T>, change: (item: T) => U): NonEmpty<U> {
  return [change(first), ...rest.map(change)];
}
