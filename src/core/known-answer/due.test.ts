import { describe, expect, it } from 'vitest';
import { isDue } from './due.ts';

const HOUR = 3_600_000;
const NOON = new Date('2026-11-15T12:00:00.000Z');
const ago = (ms: number) => new Date(NOON.getTime() - ms);
const DAILY = { everyMs: 24 * HOUR, jitterMs: 2 * HOUR };

describe('when a service is paid for its next call', () => {
  it('at once if it never was', () => {
    expect(isDue(DAILY, 'a', null, NOON)).toBe(true);
  });

  it.each(['a', 'b', 'c', 'd'])('never before 22 hours, always after 26: %s', (id) => {
    expect(isDue(DAILY, id, ago(22 * HOUR - 1), NOON)).toBe(false);
    expect(isDue(DAILY, id, ago(26 * HOUR), NOON)).toBe(true);
  });

  it('spreads services over the hours in between', () => {
    const last = ago(24 * HOUR);
    const due = Array.from({ length: 200 }, (_, n) => isDue(DAILY, `service-${n}`, last, NOON)).filter(
      Boolean,
    );
    expect(due.length).toBeGreaterThan(60);
    expect(due.length).toBeLessThan(140);
  });

  it('gives the same answer to whoever asks again', () => {
    const last = ago(24 * HOUR);
    expect(isDue(DAILY, 'x', last, NOON)).toBe(isDue(DAILY, 'x', last, NOON));
  });

  it('is exact without jitter', () => {
    const strict = { everyMs: HOUR, jitterMs: 0 };
    expect([isDue(strict, 'a', ago(HOUR - 1), NOON), isDue(strict, 'a', ago(HOUR), NOON)]).toEqual([
      false,
      true,
    ]);
  });
});
