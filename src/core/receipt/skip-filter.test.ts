import { describe, expect, it } from 'vitest';
import type { RunFacets } from './crawl-facets.ts';
import { countedBefore, EVERY_SKIP, hostOf, isEverySkip, leadOf, type SkipFilter } from './skip-filter.ts';

const FACETS: RunFacets = {
  reasons: new Map([['no_paywall', 50]]),
  lists: new Map([['large', { rows: 900, skips: 100, disagree: 1, setAside: 0 }]]),
  networks: new Map([['eip155:8453', 70]]),
  priceGaps: 33,
  newSkips: 0,
  newestSkips: [],
};

describe('a filter of skips', () => {
  it.each<[string, string]>([
    ['https://a.example/x', 'a.example'],
    ['https://A.Example:8443/x', 'a.example'],
    ['http://a.example', 'a.example'],
    ['https://a.example?x=//b.example/', 'a.example'],
    ['https://a.example#@b.example', 'a.example'],
    ['https://user@a.example/', 'a.example'],
    ['https://[2001:db8::1]:8443/x', '[2001:db8::1]'],
    ['https://a.example/:id', 'a.example'],
    ['no url at all', 'o url at all'],
  ])('%s is at %s', (url, host) => {
    expect(hostOf(url)).toBe(host);
  });

  it.each<[string, Partial<SkipFilter>, RunFacets | null, string | null]>([
    ['nothing', {}, FACETS, null],
    ['a search', { search: 'x' }, FACETS, null],
    ['the rarest member', { reason: 'no_paywall', list: 'large', network: 'eip155:8453' }, FACETS, 'reason'],
    ['what nobody has', { reason: 'no_paywall', list: 'unknown' }, FACETS, 'list'],
    ['a host before all', { reason: 'no_paywall', host: 'a.example' }, FACETS, 'host'],
    ['any member where nothing was counted', { list: 'large', network: 'eip155:8453' }, null, 'network'],
  ])('is led by %s', (_, changes, facets, lead) => {
    expect(leadOf({ ...EVERY_SKIP, ...changes }, facets)).toBe(lead);
  });

  it.each<[string, Partial<SkipFilter>, number | null]>([
    ['a reason', { reason: 'no_paywall' }, 50],
    ['a reason that no receipt has', { reason: 'ssrf_blocked' }, 0],
    ['a list, and of it only the skips', { list: 'large' }, 100],
    ['a list that nobody has', { list: 'unknown' }, 0],
    ['a frequent network', { network: 'eip155:8453' }, 70],
    ['a network that may be too rare to be kept', { network: 'eip155:1' }, null],
    ['a host', { host: 'a.example' }, null],
    ['two members', { reason: 'no_paywall', list: 'large' }, null],
    ['a member and a search', { reason: 'no_paywall', search: 'x' }, null],
    ['a member in another order', { reason: 'no_paywall', sort: 'price_gap' }, null],
    ['the widest gap first', { sort: 'price_gap' }, 33],
    ['the widest gap with a search', { sort: 'price_gap', search: 'x' }, null],
    ['nothing', {}, null],
  ])('what was counted when the run was published: %s', (_, changes, count) => {
    const filter = { ...EVERY_SKIP, ...changes };
    expect(countedBefore(filter, FACETS)).toBe(count);
    expect(countedBefore(filter, null)).toBeNull();
  });

  it('asks for something as soon as one member does', () => {
    expect(isEverySkip(EVERY_SKIP)).toBe(true);
    const asking: Partial<SkipFilter>[] = [
      { reason: 'no_paywall' },
      { list: 'l' },
      { network: 'n' },
      { host: 'h' },
      { search: 's' },
      { sort: 'price_gap' },
    ];
    for (const changes of asking) expect(isEverySkip({ ...EVERY_SKIP, ...changes })).toBe(false);
  });
});
