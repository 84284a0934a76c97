import { describe, expect, it } from 'vitest';
import { inOrder } from './in-order.ts';

/** Work that ends when the test says so. */
function controlled() {
  const ends = new Map<number, () => void>();
  const log: string[] = [];
  const work = (item: number) =>
    new Promise<{ item: number }>((resolve) => {
      log.push(`begin ${item}`);
      ends.set(item, () => resolve({ item }));
    });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const end = async (item: number) => {
    ends.get(item)?.();
    await settle();
  };
  return { work, log, end, settle, emit: ({ item }: { item: number }) => log.push(`tell ${item}`) };
}

async function* numbers(count: number) {
  for (let at = 1; at <= count; at += 1) yield at;
}

describe('many at once', () => {
  it('are told in order, and no more than the limit are under way', async () => {
    const { work, log, end, settle, emit } = controlled();
    const done = inOrder({ items: numbers(4), limit: 2, work, emit, stop: new AbortController().signal });
    await settle();
    await end(2);
    await end(1);
    await end(3);
    await end(4);
    await done;
    expect(log).toEqual([
      ...['begin 1', 'begin 2', 'begin 3', 'tell 1', 'tell 2', 'begin 4', 'tell 3', 'tell 4'],
    ]);
  });

  it('are told as soon as they are there, although the next item is still awaited', async () => {
    const { work, log, end, settle, emit } = controlled();
    const never = new Promise(() => {});
    async function* slow() {
      yield 1;
      await never;
    }
    void inOrder({ items: slow(), limit: 4, work, emit, stop: new AbortController().signal });
    await settle();
    await end(1);
    expect(log).toEqual(['begin 1', 'tell 1']);
  });

  it('begin nothing new once stopped, and finish what was begun', async () => {
    const { work, log, end, settle, emit } = controlled();
    const controller = new AbortController();
    const done = inOrder({ items: numbers(9), limit: 1, work, emit, stop: controller.signal });
    await settle();
    controller.abort();
    await end(1);
    await done;
    expect(log).toEqual(['begin 1', 'tell 1']);
  });

  it('hold back only so many results behind a slow one', async () => {
    const begun: number[] = [];
    let release = () => {};
    const first = new Promise<void>((resolve) => {
      release = resolve;
    });
    const told: number[] = [];
    const done = inOrder({
      items: numbers(200),
      limit: 4,
      work: async (item) => {
        begun.push(item);
        if (item === 1) await first;
        return { item };
      },
      emit: ({ item }) => told.push(item),
      stop: new AbortController().signal,
    });
    for (let turn = 0; turn < 300; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(told).toEqual([]);
    expect(begun.length).toBeLessThanOrEqual(64 + 4);
    release();
    await done;
    expect(told).toEqual(Array.from({ length: 200 }, (_, at) => at + 1));
  });
});
