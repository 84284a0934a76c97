import { describe, expect, it } from 'vitest';
import { keepsPreviousRows, type ListOutcome, listSource } from './list-outcome.ts';

function read(changes: Partial<Extract<ListOutcome, { kind: 'read' }>> = {}): ListOutcome {
  return { kind: 'read', cut: null, items: 100, leftOut: new Map(), announced: null, ...changes };
}

function failed(fault: Extract<ListOutcome, { kind: 'failed' }>['fault']): ListOutcome {
  return { kind: 'failed', fault, items: 40, leftOut: new Map(), announced: 100 };
}

describe('the line of a list in a summary', () => {
  it.each<[why: string, outcome: ListOutcome, source: object]>([
    ['read', read(), { ok: true, items: 100, skipped: false, note: 'complete' }],
    [
      'read in part, with what was left out',
      read({
        cut: 'row_limit',
        announced: 120,
        leftOut: new Map([
          ['bad_url', 3],
          ['credentials_in_url', 1],
        ]),
      }),
      {
        ok: true,
        items: 100,
        skipped: false,
        note: 'stopped at the entry limit; announces 120; excluded: 3 with an invalid URL, 1 with credentials in the URL',
      },
    ],
    [
      'failed with a status',
      failed({ kind: 'http_status', status: 503 }),
      { ok: false, items: null, skipped: false, note: 'answered HTTP 503' },
    ],
    [
      'asked for money',
      failed({ kind: 'payment_required' }),
      {
        ok: false,
        items: null,
        skipped: false,
        note: 'requires a payment (HTTP 402); lists are never paid',
      },
    ],
    [
      'skipped',
      { kind: 'skipped', note: 'is itself paid' },
      { ok: false, items: null, skipped: true, note: 'is itself paid' },
    ],
  ])('%s', (_, outcome, source) => {
    expect(listSource(outcome)).toEqual(source);
  });
});

describe('previous rows', () => {
  it.each<[why: string, outcome: ListOutcome, previous: number | null, kept: boolean]>([
    ['go when the list was read', read(), 100, false],
    ['go at exactly three quarters', read({ items: 75 }), 100, false],
    ['stay below three quarters', read({ items: 74 }), 100, true],
    ['stay when the list came back empty', read({ items: 0 }), 1, true],
    ['stay when it failed', failed({ kind: 'timed_out' }), 1, true],
    ['are not there the first time', failed({ kind: 'timed_out' }), null, false],
    ['go when the operator skips the list', { kind: 'skipped', note: 'a' }, 100, false],
  ])('%s', (_, outcome, previous, kept) => {
    expect(keepsPreviousRows(outcome, { size: previous, earlier: [] })).toBe(kept);
  });

  const was = (items: number | null, note = 'complete; the 400 rows of the previous run were kept') => ({
    ok: false,
    items,
    skipped: false,
    note,
  });
  it.each<
    [why: string, items: number, earlier: readonly (readonly [number | null, string?])[], kept: boolean]
  >([
    ['go when three readings agree', 100, [[100], [100]], false],
    ['go when they differ by a tenth', 90, [[100], [95]], false],
    ['stay when they differ by more', 89, [[100], [95]], true],
    ['stay when an earlier one differs by more', 100, [[100], [112]], true],
    ['stay when there are only two', 100, [[100]], true],
    ['stay when one of them failed', 100, [[null, 'answered HTTP 503'], [100]], true],
    ['stay when one of them was cut', 100, [[100], [100, 'stopped at a repeated page']], true],
    ['go when it is empty for the third time', 0, [[0], [0]], false],
  ])('of a list that shrank %s', (_, items, earlier, kept) => {
    const previous = { size: 400, earlier: earlier.map(([size, note]) => was(size, note)) };
    expect(keepsPreviousRows(read({ items }), previous)).toBe(kept);
  });

  it('of a list that shrank stay when this reading was cut, or failed', () => {
    const previous = { size: 400, earlier: [was(100), was(100)] };
    expect(keepsPreviousRows(read({ cut: 'repeated_page' }), previous)).toBe(true);
    expect(keepsPreviousRows(failed({ kind: 'timed_out' }), previous)).toBe(true);
  });
});
