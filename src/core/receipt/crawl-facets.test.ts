import { describe, expect, it } from 'vitest';
import { aCrawlReceipt, crawlId } from '../../../tools/samples/crawl-rows.ts';
import { network } from '../../../tools/samples/listed.ts';
import { startFacets } from './crawl-facets.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 15, 12, 0, seconds));

describe('what a run holds by kind', () => {
  it('counts reasons, lists and networks; only skips have a network', () => {
    const facets = startFacets();
    facets.add(aCrawlReceipt({ sourceList: 'x', network: network('base') }), true);
    facets.add(aCrawlReceipt({ sourceList: 'x', code: 'no_paywall', network: null }), true);
    facets.add(aCrawlReceipt({ sourceList: 'x', verdict: 'pay', code: 'price_ok' }), false);
    facets.add(aCrawlReceipt({ sourceList: '__proto__', verdict: 'recheck', code: 'timeout' }), false);
    expect(facets.total()).toEqual({
      reasons: new Map([
        ['price_mismatch', 1],
        ['no_paywall', 1],
        ['price_ok', 1],
        ['timeout', 1],
      ]),
      lists: new Map([
        ['x', { rows: 3, skips: 2, disagree: 1, setAside: 0 }],
        ['__proto__', { rows: 1, skips: 0, disagree: 0, setAside: 0 }],
      ]),
      networks: new Map([
        ['eip155:8453', 1],
        ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 1],
      ]),
      priceGaps: 1,
      newSkips: 0,
      newestSkips: [],
    });
  });

  it('counts what is set aside, and not as new (G100)', () => {
    const facets = startFacets();
    facets.add(aCrawlReceipt({ sourceList: 'x', code: 'needs_input' }), false);
    facets.add(aCrawlReceipt({ sourceList: 'x', code: 'no_paywall' }), false);
    const { lists, newSkips, newestSkips } = facets.total();
    expect(lists.get('x')).toEqual({ rows: 2, skips: 2, disagree: 0, setAside: 1 });
    expect([newSkips, newestSkips.length]).toEqual([1, 1]);
  });

  it('names the hundred new skips that were checked last, newest first, the lower id between equals', () => {
    const facets = startFacets();
    for (let n = 1; n <= 1_000; n += 1) {
      facets.add(aCrawlReceipt({ id: crawlId(n), checkedAt: at((n * 7) % 500) }), n === 500);
    }
    facets.add(aCrawlReceipt({ id: 'paid', verdict: 'pay', code: 'price_ok', checkedAt: at(900) }), false);
    const { newSkips, newestSkips } = facets.total();
    expect([newSkips, newestSkips.length]).toEqual([999, 100]);
    expect(newestSkips.slice(0, 3)).toEqual([crawlId(357), crawlId(857), crawlId(214)]);
  });

  it('a flood of networks that nobody has costs neither memory nor the ones that many have', () => {
    const facets = startFacets();
    for (let n = 1; n <= 12_000; n += 1) {
      facets.add(aCrawlReceipt({ network: network(`eip155:${n % 2 === 0 ? 8453 : 20_000 + n}`) }), true);
    }
    const { networks } = facets.total();
    expect(networks.size).toBe(50);
    expect([...networks][0]).toEqual(['eip155:8453', 6_000]);
  });
});
