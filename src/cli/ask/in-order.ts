export interface InOrderParts<In, Out> {
  readonly items: AsyncIterable<In>;
  /** The number of concurrent tasks. */
  readonly limit: number;
  readonly work: (item: In) => Promise<Out>;
  /** Called with every result in the order of the items, as soon as all earlier ones are there. */
  readonly emit: (result: Out) => void;
  readonly stop: AbortSignal;
}

/** The most results to hold back behind a slow one. */
const HELD_MAX = 64;

/** Runs tasks concurrently and reports results in order. After `stop` no new task starts. */
export async function inOrder<In, Out extends object>(parts: InOrderParts<In, Out>): Promise<void> {
  const { items, limit, work, emit, stop } = parts;
  const [held, running] = [new Map<number, Out>(), new Set<Promise<void>>()];
  let [begun, told] = [0, 0];
  const finish = (at: number, result: Out) => {
    held.set(at, result);
    for (let next = held.get(told); next !== undefined; next = held.get(told)) {
      held.delete(told);
      told += 1;
      emit(next);
    }
  };
  for await (const item of items) {
    if (stop.aborted) break;
    const at = begun;
    begun += 1;
    const task = work(item)
      .then((result) => finish(at, result))
      .finally(() => running.delete(task));
    running.add(task);
    while (running.size >= limit || held.size >= HELD_MAX) await Promise.race(running);
  }
  await Promise.all(running);
}
