import { describe, expect, it } from 'vitest';
import { aService } from '../../../tools/samples/catalog.ts';
import { buildTaskIndex } from '../../core/catalog/task-index.ts';
import { createFindServices } from './find-services.ts';

const NOON = new Date('2026-11-15T12:00:00.000Z');
const later = (ms: number) => new Date(NOON.getTime() + ms);
const query = (task: string) => ({ task, endpoint: null, maxPrice: null, n: 5, limit: 5 });

/** `reads` counts how often paid calls were read; the first `failures` reads fail. */
function world(failures = 0, bytesMax?: number) {
  const counts = { reads: 0, failures };
  const facts = {
    callsOf: async () => {
      counts.reads += 1;
      if (counts.reads <= counts.failures) throw new Error('the store is down');
      return new Map();
    },
    checksOf: async () => new Map(),
  };
  const index = buildTaskIndex([aService({ tasks: ['weather'] })]);
  const hasReceipts = async () => false;
  return { find: createFindServices({ index, facts, hasReceipts }, bytesMax), counts };
}

describe('findings of the same question', () => {
  it('are read once in five seconds, also by concurrent callers', async () => {
    const { find, counts } = world();
    const [first, second] = await Promise.all([find(query('weather'), NOON), find(query('weather'), NOON)]);
    expect(await find(query('weather'), later(4_999))).toBe(first);
    expect([second === first, counts.reads]).toEqual([true, 1]);
    await find(query('weather'), later(5_000));
    expect(counts.reads).toBe(2);
  });

  it('are read again when the clock was set back by as much', async () => {
    const { find, counts } = world();
    await find(query('weather'), later(3_600_000));
    await find(query('weather'), later(3_595_001));
    expect(counts.reads).toBe(1);
    await find(query('weather'), later(3_595_000));
    expect(counts.reads).toBe(2);
  });

  it('are not those of another question', async () => {
    const { find, counts } = world();
    await find(query('weather'), NOON);
    await find({ ...query('weather'), limit: 4 }, NOON);
    expect(counts.reads).toBe(2);
  });

  it('are read again after a failure', async () => {
    const { find, counts } = world(1);
    await expect(find(query('weather'), NOON)).rejects.toThrow('the store is down');
    expect((await find(query('weather'), NOON)).matched).toBe(1);
    expect(counts.reads).toBe(2);
  });

  it('are forgotten, oldest first, beyond 500 questions', async () => {
    const { find, counts } = world();
    const ask = (n: number) => find({ ...query('weather'), n }, NOON);
    for (let n = 0; n <= 500; n += 1) await ask(n);
    await ask(500);
    expect(counts.reads).toBe(501);
    await ask(0);
    expect(counts.reads).toBe(502);
  });

  it('are forgotten, oldest first, beyond so many bytes', async () => {
    // One service without calls counts as about 8 kB.
    const { find, counts } = world(0, 30_000);
    const ask = (n: number) => find({ ...query('weather'), n }, NOON);
    for (let n = 1; n <= 4; n += 1) await ask(n);
    await ask(4);
    await ask(3);
    await ask(2);
    expect(counts.reads).toBe(4);
    await ask(1);
    expect(counts.reads).toBe(5);
  });

  it('that take longer than they are fresh weigh nothing afterwards', async () => {
    const { find, counts } = world(0, 10_000);
    for (let round = 0; round < 50; round += 1) await find(query('weather'), later(round * 5_000));
    await find(query('weather'), later(49 * 5_000));
    expect(counts.reads).toBe(50);
  });
});
