import { describe, expect, it } from 'vitest';
import type { CrawlSummary } from '../receipt/crawl-summary.ts';
import { startSummary } from '../receipt/crawl-summary.ts';
import { holdForAnswers, holdForLists } from './hold-run.ts';

const READ = { ok: true, items: 3, skipped: false, note: '' };
const SHRUNK = { ...READ, ok: false };
const FAILED = { ok: false, items: null, skipped: false, note: '' };
const PAID = { ...FAILED, skipped: true };

describe('a run is held (L81)', () => {
  it.each<[string, readonly (typeof FAILED | typeof READ)[], string | null]>([
    ['no list was read', [FAILED, FAILED, PAID], 'no_list_read'],
    ['one was', [FAILED, READ], null],
    ['one shrank', [FAILED, SHRUNK], null],
    ['none is read on purpose', [PAID], null],
    ['there is none', [], null],
  ])('by its lists: %s', (_, sources, expected) => {
    expect(holdForLists(sources)).toBe(expected);
  });

  it.each<[string, Record<string, number>, string | null]>([
    ['everything was unreachable', { unreachable: 20 }, 'most_unheard'],
    [
      'nothing was heard, in four ways',
      { timeout: 5, unreachable: 5, name_not_found: 5, host_silent: 5 },
      'most_unheard',
    ],
    ['more than half', { timeout: 11, price_ok: 10 }, 'most_unheard'],
    ['half', { timeout: 10, price_ok: 10 }, null],
    ['too few to tell', { timeout: 9 }, null],
    [
      'templates do not count',
      { timeout: 11, price_ok: 10, path_template: 50, ssrf_blocked: 5 },
      'most_unheard',
    ],
    ['errors of sellers are answers', { server_error: 20 }, null],
    ['nothing was listed', {}, null],
  ])('by its answers: %s', (_, reasons, expected) => {
    expect(holdForAnswers(summaryOf(reasons))).toBe(expected);
  });

  it('publishes what cannot be counted', () => {
    expect(holdForAnswers({ ...summaryOf({ timeout: 20 }), facets: null })).toBeNull();
  });
});

function summaryOf(reasons: Record<string, number>): CrawlSummary {
  const empty = startSummary().total();
  const counts = new Map(Object.entries(reasons));
  const endpointsCovered = [...counts.values()].reduce((sum, one) => sum + one, 0);
  const facets = empty.facets === null ? null : { ...empty.facets, reasons: counts };
  return { ...empty, endpointsCovered, facets };
}
