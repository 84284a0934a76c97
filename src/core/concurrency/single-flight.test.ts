import { describe, expect, it } from 'vitest';
import { singleFlight } from './single-flight.ts';

/** Work that ends when the test says so. */
function heldWork() {
  const ends: { resolve(value: string): void; reject(fault: Error): void }[] = [];
  const work = () => new Promise<string>((resolve, reject) => ends.push({ resolve, reject }));
  return { ends, work };
}

describe('a single flight', () => {
  it('is shared by concurrent callers of one key', async () => {
    const { ends, work } = heldWork();
    const once = singleFlight<string, string>();
    const callers = [once('a', work), once('a', work)];
    expect(ends).toHaveLength(1);
    ends[0]?.resolve('done');
    expect(await Promise.all(callers)).toEqual(['done', 'done']);
  });

  it('is not shared between keys', () => {
    const { ends, work } = heldWork();
    const once = singleFlight<string, string>();
    void once('a', work);
    void once('b', work);
    expect(ends).toHaveLength(2);
  });

  it('is forgotten when it settles: the next caller starts another', async () => {
    const { ends, work } = heldWork();
    const once = singleFlight<string, string>();
    const first = once('a', work);
    ends[0]?.resolve('first');
    await first;
    const second = once('a', work);
    ends[1]?.resolve('second');
    expect(await second).toBe('second');
  });

  it('fails for everybody who shares it, and is tried again by the next caller', async () => {
    const { ends, work } = heldWork();
    const once = singleFlight<string, string>();
    const callers = Promise.allSettled([once('a', work), once('a', work)]);
    ends[0]?.reject(new Error('down'));
    expect((await callers).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const next = once('a', work);
    ends[1]?.resolve('up');
    expect(await next).toBe('up');
  });
});
