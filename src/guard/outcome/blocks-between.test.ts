import { describe, expect, it } from 'vitest';
import { blocksBetween } from './blocks-between.ts';
import type { Node } from './chain-node.ts';

const hex = (number: number) => `0x${number.toString(16)}`;
const SINCE = 1_800_000_000;

/** A chain whose blocks have these times. */
function chainWith(timeOf: (number: number) => number) {
  const asked: number[] = [];
  const node: Node = async (_, params) => {
    const number = Number(params[0]);
    asked.push(number);
    return { number: hex(number), timestamp: hex(timeOf(number)) };
  };
  return { asked, node };
}

/** The number of the first block at or after a time. */
function firstAfter(timeOf: (number: number) => number, time: number, height: number): number {
  let [low, high] = [0, height];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (timeOf(middle) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

const steady = (seconds: number) => (number: number) => 1_700_000_000 + Math.floor(number * seconds);
const HEIGHTS = { minutes: 300, hours: 36_000, days: 864_000, months: 15_552_000 };

describe('the blocks of a span of time', () => {
  it.each<[string, number]>([
    ['Ethereum, 12 s', 12],
    ['Base, 2 s', 2],
    ['a quarter of a second', 0.25],
  ])('are found on a steady chain: %s', async (_, seconds) => {
    const timeOf = steady(seconds);
    for (const age of Object.values(HEIGHTS)) {
      const height = firstAfter(timeOf, SINCE + age, 2 ** 31);
      const { asked, node } = chainWith(timeOf);
      const latest = { number: height, timestamp: timeOf(height) };
      const range = await blocksBetween(node, latest, { since: SINCE, until: SINCE + 900 });
      expect(range?.from).toBeLessThanOrEqual(firstAfter(timeOf, SINCE, height));
      const end = Math.min(height, firstAfter(timeOf, SINCE + 900, height));
      expect(range?.to).toBeGreaterThanOrEqual(end);
      expect((range?.to ?? 0) - (range?.from ?? 0)).toBeLessThanOrEqual(9_000);
      expect(asked.length).toBeLessThanOrEqual(7);
    }
  });

  it('are found when the chain became faster in between', async () => {
    const switched = 50_000_000;
    const timeOf = (number: number) =>
      1_700_000_000 + 2 * Math.min(number, switched) + Math.floor(Math.max(0, number - switched) / 2);
    const since = timeOf(switched) - 100_000;
    const height = switched + 400_000;
    const { node } = chainWith(timeOf);
    const latest = { number: height, timestamp: timeOf(height) };
    const range = await blocksBetween(node, latest, { since, until: since + 900 });
    const first = firstAfter(timeOf, since, height);
    expect(range?.from).toBeLessThanOrEqual(first);
    expect(range?.to).toBeGreaterThanOrEqual(first + 450);
  });

  it('are all of a short chain, without a question', async () => {
    const { asked, node } = chainWith(steady(2));
    const latest = { number: 1_000, timestamp: SINCE };
    expect(await blocksBetween(node, latest, { since: SINCE, until: SINCE })).toEqual({ from: 0, to: 1_000 });
    expect(asked).toEqual([]);
  });

  it('begin with the first block when the chain is younger than the payment', async () => {
    const { node } = chainWith((number) => SINCE + 10 + number);
    const latest = { number: 5_000, timestamp: SINCE + 5_010 };
    const range = await blocksBetween(node, latest, { since: SINCE, until: SINCE + 900 });
    expect(range).toEqual({ from: 0, to: 2_020 });
  });

  it.each<[string, Node]>([
    ['a node that refuses', async () => undefined],
    ['one that shows another block', async () => ({ number: '0x1', timestamp: hex(SINCE) })],
    ['one whose time stands still', async (_, [number]) => ({ number, timestamp: hex(SINCE + 9_000) })],
    ['one whose time runs backwards', async (_, [number]) => ({ number, timestamp: hex(SINCE + 99_999) })],
    ['one without a time', async (_, [number]) => ({ number })],
  ])('are unknown with %s', async (_, node) => {
    const latest = { number: 50_000, timestamp: SINCE + 9_000 };
    expect(await blocksBetween(node, latest, { since: SINCE, until: SINCE + 900 })).toBeNull();
  });
});
