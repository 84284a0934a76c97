import { describe, expect, it } from 'vitest';
import { pruneStores } from './prune-stores.ts';

const NOON = new Date('2026-11-15T12:00:00.000Z');

/** A table with so many rows to forget, which remembers what it was asked. */
function table(rows: number) {
  const asked: [before: string, limit: number][] = [];
  let left = rows;
  return {
    asked,
    async prune(before: Date, limit: number) {
      asked.push([before.toISOString(), limit]);
      const gone = Math.min(left, limit);
      left -= gone;
      return gone;
    },
  };
}

/** Slots run out by the clock of the store, and need no moment. */
function slots(rows: number) {
  const { prune, asked } = table(rows);
  return { asked, prune: (limit: number) => prune(NOON, limit) };
}

describe('pruning', () => {
  it('leaves an hour to counters, six minutes to probes, a day to payments and a minute to quotes (G47, G63)', async () => {
    const [counters, probes, payments, quotes] = [table(0), table(0), table(0), table(0)];
    expect(await pruneStores({ counters, probes, payments, quotes, slots: slots(0) }, NOON)).toBe(0);
    expect(counters.asked).toEqual([['2026-11-15T11:00:00.000Z', 500]]);
    expect(probes.asked).toEqual([['2026-11-15T11:54:00.000Z', 500]]);
    expect(payments.asked).toEqual([['2026-11-14T12:00:00.000Z', 500]]);
    expect(quotes.asked).toEqual([['2026-11-15T11:59:00.000Z', 500]]);
  });

  it('goes in small steps until nothing is left', async () => {
    const [counters, probes, payments, quotes] = [table(1_200), table(500), table(600), table(700)];
    const held = slots(800);
    expect(await pruneStores({ counters, probes, payments, quotes, slots: held }, NOON)).toBe(3_800);
    const all = [counters, probes, payments, quotes, held];
    expect(all.map(({ asked }) => asked.length)).toEqual([3, 2, 2, 2, 2]);
  });

  it('stops after twenty steps and leaves the rest to the next round', async () => {
    const counters = table(1_000_000);
    const none = { probes: table(0), payments: table(0), quotes: table(0), slots: slots(0) };
    expect(await pruneStores({ counters, ...none }, NOON)).toBe(10_000);
  });
});
