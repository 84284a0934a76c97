import { describe, expect, it } from 'vitest';
import { aCall, aService } from '../../../tools/samples/catalog.ts';
import type { Quality } from '../known-answer/paid-call.ts';
import { browseRanking, type CatalogView, WHOLE_CATALOG } from './browse-ranking.ts';
import { rankServices } from './rank-services.ts';

const NOW = new Date('2026-11-15T12:00:00.000Z');

interface Sample {
  readonly hoursAgo?: number;
  readonly changes?: object;
}

function record(
  id: string,
  price: string,
  qualities: readonly Quality[],
  { hoursAgo = 1, changes }: Sample = {},
) {
  return {
    service: aService({ id, name: id.toUpperCase(), price_usd: price, ...changes }),
    calls: qualities.map((quality) =>
      aCall({ quality, calledAt: new Date(NOW.getTime() - hoursAgo * 3_600_000) }),
    ),
  };
}
const pass = (count: number): Quality[] => Array.from({ length: count }, () => 'pass');
const RANKING = rankServices(
  [
    record('b-once', '0.01', pass(1), { hoursAgo: 5 }),
    record('d-often', '0.02', pass(20), { hoursAgo: 3 }),
    record('a-half', '0.005', ['pass', 'fail'], { hoursAgo: 1 }),
    record('e-ungraded', '0.001', ['not_graded'], { hoursAgo: 9 }),
    record('c-unpaid', '0.03', [], { changes: { provider: 'Straße Labs', tasks: ['maps'] } }),
    record('y-pinned', '0.04', [], { changes: { facts_only: 'asks for a login', tasks: ['maps'] } }),
    record('x-pinned', '0.05', pass(1), { changes: { facts_only: 'asks for a login' } }),
  ],
  { n: 20, limit: 500, now: NOW },
);
const browse = (view: Partial<CatalogView>, limit = 500) =>
  browseRanking(RANKING, { ...WHOLE_CATALOG, ...view }, limit);
const ids = (view: Partial<CatalogView>) =>
  browse(view)
    .ranked.map(({ service }) => service.id.slice(0, 1))
    .join('');

describe('the catalog in an order of the reader', () => {
  it.each<[string, Partial<CatalogView>, string]>([
    ['that of a lookup: pass rate, price, id (G26)', {}, 'bdaec'],
    ['that of a lookup, turned around; what has no rate stays last', { dir: 'desc' }, 'adbec'],
    ['by price, lowest first', { sort: 'price' }, 'eabdc'],
    ['by price, highest first', { sort: 'price', dir: 'desc' }, 'cdbae'],
    ['by the lower bound of the pass rate, best first', { sort: 'passed' }, 'dbaec'],
    ['by the lower bound, worst first', { sort: 'passed', dir: 'asc' }, 'abdec'],
    ['by the last call, newest first', { sort: 'last' }, 'adbec'],
    ['by the last call, oldest first; never called stays last', { sort: 'last', dir: 'asc' }, 'ebdac'],
    ['by name', { sort: 'name' }, 'abcde'],
    ['by name, backwards', { sort: 'name', dir: 'desc' }, 'edcba'],
  ])('%s', (_, view, order) => {
    expect(ids(view)).toBe(order);
  });

  it('keeps those without a rank apart, by id', () => {
    const { ranked, factsOnly, matched, total } = browse({ sort: 'name', dir: 'desc' });
    expect(factsOnly.map(({ service }) => service.id)).toEqual(['x-pinned', 'y-pinned']);
    expect([ranked.length, matched, total]).toEqual([5, 7, 7]);
  });
});

describe('a part of the catalog', () => {
  it.each<[string, Partial<CatalogView>, string, number]>([
    ['of a task', { task: 'maps' }, 'c', 1],
    ['of a task that nobody has', { task: 'nothing' }, '', 0],
    ['with paid calls', { paidOnly: true }, 'bdae', 1],
    ['with a text in the name, in any letter case', { search: 'oft' }, 'd', 0],
    ['with a text in the provider', { search: 'straße' }, 'c', 0],
    ['with a text in the description', { search: 'pair of coordinates' }, 'bdaec', 2],
    ['with a text that only the id has', { search: '-once' }, 'b', 0],
    ['with all of it', { task: 'weather', paidOnly: true, search: 'half' }, 'a', 0],
  ])('%s', (_, view, found, factsOnly) => {
    expect(ids(view)).toBe(found);
    expect(browse(view).factsOnly).toHaveLength(factsOnly);
  });

  it('is cut, the ranked ones first, and says how many there are', () => {
    const { ranked, factsOnly, matched } = browse({}, 6);
    expect([ranked.length, factsOnly.length, matched]).toEqual([5, 1, 7]);
    expect(browse({}, 2).factsOnly).toEqual([]);
  });

  it('says whether any service was paid, also one that is left out', () => {
    expect(browse({ search: 'c-unpaid' }).isAnyPaid).toBe(true);
    expect(browseRanking({ matched: 0, ranked: [], factsOnly: [] }, WHOLE_CATALOG, 9).isAnyPaid).toBe(false);
  });
});
