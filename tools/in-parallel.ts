/** So many workers, each of which takes the next item from the front when it is done with its last one. */
export async function inParallel<T>(
  workers: number,
  items: Iterable<T>,
  work: (item: T) => Promise<unknown> | unknown,
): Promise<void> {
  const left = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = left.next(); next.done !== true; next = left.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: workers }, worker));
}
