/**
 * The same items, prefetched while earlier ones are processed, so that their number is known early. The source bounds their
 * number.
 */
export async function* readAhead<Item extends object>(
  items: AsyncIterable<Item>,
  onEnd: (count: number) => void,
): AsyncGenerator<Item> {
  const queue: Item[] = [];
  const state = { ended: false, wake: () => {} };
  const pump = async () => {
    let count = 0;
    try {
      for await (const item of items) {
        count += 1;
        queue.push(item);
        state.wake();
      }
      onEnd(count);
    } finally {
      state.ended = true;
      state.wake();
    }
  };
  const pumping = pump();
  // Rethrown below.
  pumping.catch(() => {});
  for (;;) {
    const item = queue.shift();
    if (item !== undefined) yield item;
    else if (state.ended) break;
    else await new Promise<void>((resolve) => Object.assign(state, { wake: resolve }));
  }
  await pumping;
}
