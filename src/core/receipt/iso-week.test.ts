import { describe, expect, it } from 'vitest';
import { mondayOf, weekName, weeksLater } from './iso-week.ts';

describe('the week of a receipt', () => {
  it.each([
    ['2026-11-18T16:00:00.000Z', '2026-11-16', '2026w47', 'a Wednesday'],
    ['2026-11-16T00:00:00.000Z', '2026-11-16', '2026w47', 'its first moment'],
    ['2026-11-22T23:59:59.999Z', '2026-11-16', '2026w47', 'its last moment'],
    ['2026-11-23T00:00:00.000Z', '2026-11-23', '2026w48', 'the next one'],
    ['2026-01-01T00:00:00.000Z', '2025-12-29', '2026w01', 'begins in the year before'],
    ['2027-01-03T12:00:00.000Z', '2026-12-28', '2026w53', 'a year of 53 weeks'],
    ['2021-01-01T12:00:00.000Z', '2020-12-28', '2020w53', 'belongs to the year before'],
    ['1970-01-05T00:00:00.000Z', '1970-01-05', '1970w02', 'the first Monday'],
    ['1970-01-01T00:00:00.000Z', '1969-12-29', '1970w01', 'before the first Monday'],
  ])('of %s begins on %s and is %s: %s', (at, monday, name) => {
    const begin = mondayOf(new Date(at));
    expect(begin.toISOString()).toBe(`${monday}T00:00:00.000Z`);
    expect(weekName(begin)).toBe(name);
  });

  it('is followed by the next one', () => {
    const later = weeksLater(new Date('2026-12-28T00:00:00.000Z'), 1);
    expect(later.toISOString()).toBe('2027-01-04T00:00:00.000Z');
    expect(weekName(later)).toBe('2027w01');
  });
});
