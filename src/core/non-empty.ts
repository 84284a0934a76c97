/** A list that has a first element, so that choosing one needs no fallback. */
export type NonEmpty<T> = readonly [T, ...T[]];

export function isNonEmpty<T>(list: readonly T[]): list is NonEmpty<T> {
  return list.length > 0;
}

export function mapNonEmpty<T, U>([first, ...rest]: NonEmpty<T>, change: (item: T) => U): NonEmpty<U> {
  return [change(first), ...rest.map(change)];
}
