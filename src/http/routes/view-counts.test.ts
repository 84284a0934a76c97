import { describe, expect, it } from 'vitest';
import { networksOf } from '../../core/access/networks.ts';
import { EVERY_SKIP } from '../../core/receipt/skip-filter.ts';
import type { SkipCount } from '../../ports/crawl-runs.ts';
import { createViewCounts } from './view-counts.ts';

const wanted = (search: string) => ({ filter: { ...EVERY_SKIP, search }, lead: null });
const from = (n: number) => networksOf(`192.0.2.${n}`);
const NONE: SkipCount = { matches: 0, starts: [] };

/** A store whose counts end when the test says so. */
function slowStore() {
  const open: { search: string | null; end: (how: 'well' | 'badly') => void }[] = [];
  const store = {
    countSkips: (_: string, { filter }: ReturnType<typeof wanted>) =>
      new Promise<SkipCount>((resolve, reject) => {
        const end = (how: 'well' | 'badly') =>
          how === 'well' ? resolve(NONE) : reject(new Error('the store broke'));
        open.push({ search: filter.search, end });
      }),
  };
  return { open, store };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('counts of filtered views', () => {
  it('are made one at a time, once each, and asked for again only after a failure', async () => {
    const { open, store } = slowStore();
    const counts = createViewCounts(store);
    const [a, again, b] = [
      counts(from(1))('run', wanted('a')),
      counts(from(2))('run', wanted('a')),
      counts(from(3))('run', wanted('b')),
    ];
    expect(again).toBe(a);
    await turn();
    expect(open.map(({ search }) => search)).toEqual(['a']);
    open[0]?.end('badly');
    await expect(a).rejects.toThrow('the store broke');
    await turn();
    open[1]?.end('well');
    expect(await b).toEqual(NONE);
    await turn();
    void counts(from(1))('run', wanted('b'));
    void counts(from(2))('run', wanted('a'));
    void counts(from(3))('next run', wanted('b'));
    await turn();
    expect(open.map(({ search }) => search)).toEqual(['a', 'b', 'a']);
    open[2]?.end('well');
    await turn();
    expect(open.map(({ search }) => search)).toEqual(['a', 'b', 'a', 'b']);
  });

  it('of more than sixteen at once are refused, those that are known or under way are not', async () => {
    const { open, store } = slowStore();
    const counts = createViewCounts(store);
    const first = counts(from(0))('run', wanted('0'));
    for (let n = 1; n < 16; n += 1) expect(counts(from(n))('run', wanted(String(n)))).not.toBeNull();
    expect(counts(from(16))('run', wanted('16'))).toBeNull();
    expect(counts(from(16))('run', wanted('0'))).toBe(first);
    await turn();
    open[0]?.end('well');
    await turn();
    expect(counts(from(16))('run', wanted('16'))).not.toBeNull();
    expect(await counts(from(0))('run', wanted('0'))).toEqual(NONE);
  });

  it('of one address wait one at a time, of a whole IPv6 /48 ten, so that others have room', async () => {
    const { open, store } = slowStore();
    const counts = createViewCounts(store);
    expect(counts(from(1))('run', wanted('a'))).not.toBeNull();
    expect(counts(from(1))('run', wanted('b'))).toBeNull();
    const inside = Array.from({ length: 12 }, (_, n) => networksOf(`2001:db8:1:${n}::1`));
    const taken = inside.map((networks, n) => counts(networks)('run', wanted(`wide-${n}`)) !== null);
    expect(taken.filter(Boolean)).toHaveLength(10);
    expect(counts(from(2))('run', wanted('b'))).not.toBeNull();
    await turn();
    open[0]?.end('well');
    await turn();
    expect(counts(from(1))('run', wanted('c'))).not.toBeNull();
  });
});
