import { describe, expect, it } from 'vitest';
import { aCall, aService } from '../../../tools/samples/catalog.ts';
import { buildTaskIndex } from '../../core/catalog/task-index.ts';
import { createRankCatalog } from './rank-catalog.ts';

const NOON = new Date('2026-11-15T12:00:00.000Z');

/** `reads` counts how often paid calls were read, and `asked` for how many services. */
function world(size: number, failures = 0) {
  const state = { now: NOON, reads: 0, asked: 0 };
  const facts = {
    callsOf: async (ids: readonly string[]) => {
      state.reads += 1;
      state.asked = ids.length;
      if (state.reads <= failures) throw new Error('the store is down');
      return new Map([['s1', [aCall({ quality: 'fail' })]]]);
    },
    checksOf: async () => new Map(),
  };
  const services = Array.from({ length: size }, (_, n) => aService({ id: `s${n}` }));
  const rank = createRankCatalog({ index: buildTaskIndex(services), facts }, { now: () => state.now });
  return { rank, state };
}

describe('the ranking of the whole catalog', () => {
  it('has every service and the time of the reading', async () => {
    const { rank, state } = world(3);
    const { ranked, factsOnly, matched, at } = await rank();
    expect(ranked.map(({ service }) => service.id)).toEqual(['s1', 's0', 's2']);
    expect([factsOnly, matched, at, state.asked]).toEqual([[], 3, NOON, 3]);
  });

  it.each([
    ['a second', 3, 999, 1_000],
    ['longer, where it is large', 300, 2_999, 3_000],
  ])('is kept for %s', async (_, size, still, over) => {
    const { rank, state } = world(size);
    await Promise.all([rank(), rank()]);
    state.now = new Date(NOON.getTime() + still);
    await rank();
    expect(state.reads).toBe(1);
    state.now = new Date(NOON.getTime() + over);
    await rank();
    expect(state.reads).toBe(2);
  });

  it('is read again after a failure', async () => {
    const { rank, state } = world(2, 1);
    await expect(rank()).rejects.toThrow('the store is down');
    expect((await rank()).matched).toBe(2);
    expect(state.reads).toBe(2);
  });
});
