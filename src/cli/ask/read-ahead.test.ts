import { describe, expect, it } from 'vitest';
import { readAhead } from './read-ahead.ts';

async function* items(count: number) {
  for (let at = 1; at <= count; at += 1) yield { at };
}

describe('reading ahead', () => {
  it('knows how many there are while the first is still worked on', async () => {
    const counts: number[] = [];
    const seen: number[] = [];
    for await (const { at } of readAhead(items(3), (count) => counts.push(count))) {
      await new Promise((resolve) => setImmediate(resolve));
      expect(counts).toEqual([3]);
      seen.push(at);
    }
    expect(seen).toEqual([1, 2, 3]);
  });

  it('of nothing ends', async () => {
    const counts: number[] = [];
    for await (const _ of readAhead(items(0), (count) => counts.push(count)))
      throw new Error('there is none');
    expect(counts).toEqual([0]);
  });

  it('hands over what came before a fault, and then the fault', async () => {
    async function* broken() {
      yield { at: 1 };
      throw new Error('the input broke');
    }
    const seen: number[] = [];
    const reading = async () => {
      for await (const { at } of readAhead(broken(), () => {})) seen.push(at);
    };
    await expect(reading()).rejects.toThrow('the input broke');
    expect(seen).toEqual([1]);
  });
});
