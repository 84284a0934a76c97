/** A total order for sorting: by value for numbers, by code unit for text, the same on every machine and in every locale. */
export function order<T extends bigint | number | string>(left: T, right: T): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
