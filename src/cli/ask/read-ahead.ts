/**
 * The same items, fetched as fast as they come while earlier ones are still worked on, so that their number is known
 * early. Whoever brings the items bounds how many there are.
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
  // A fault is thrown below, where somebody hears it.
  pumping.catch(() => {});
  for (;;) {
    const item = queue.shift();
    if (item !== undefined) yield item;
    else if (state.ended) break;
    else await new Promise<void>((resolve) => Object.assign(state, { wake: resolve }));
  }
  await pumping;
}
