import { describe, expect, it } from 'vitest';
import { ENTRY } from '../../../tools/samples/challenge.ts';
import { deadlineOf, leavesTimeToPay } from './deadline.ts';
import { readOffer } from './offer.ts';

const PROBED_AT = new Date('2026-11-15T12:00:00.000Z');

describe('until when terms may be signed (G44)', () => {
  it.each<[string, object, [string, string] | null]>([
    [
      'validBefore before all',
      { validBefore: '2026-11-15T12:05:00Z' },
      ['2026-11-15T12:05:00.000Z', 'validBefore'],
    ],
    ['then maxTimeoutSeconds', {}, ['2026-11-15T12:01:00.000Z', 'maxTimeoutSeconds']],
    ['at most a day of it', { maxTimeoutSeconds: 86_401 }, ['2026-11-16T12:00:00.000Z', 'maxTimeoutSeconds']],
    ['then a minute', { maxTimeoutSeconds: -5 }, ['2026-11-15T12:01:00.000Z', 'default_60s']],
    [
      'a validBefore that cannot be used',
      { validBefore: 'soon' },
      ['2026-11-15T12:01:00.000Z', 'maxTimeoutSeconds'],
    ],
    ['a validBefore that is over', { validBefore: '2026-11-15T11:59:59Z' }, null],
    ['a validBefore of this very moment', { validBefore: '2026-11-15T12:00:00Z' }, null],
  ])('%s', (_, changes, expected) => {
    const offer = readOffer({ ...ENTRY, ...changes });
    const deadline = offer === null ? null : deadlineOf(offer, PROBED_AT);
    expect(deadline === null ? null : [deadline.at.toISOString(), deadline.source]).toEqual(expected);
  });
});

describe('whether there is time left to pay (G103)', () => {
  it.each<[string, number, number, boolean]>([
    ['30 s of an hour', 3_600, 3_570, true],
    ['less than 30 s of an hour', 3_600, 3_570.001, false],
    ['half of 20 s', 20, 10, true],
    ['less than half of 20 s', 20, 10.001, false],
    ['the moment of the probe', 1, 0, true],
    ['nothing', 60, 60, false],
    ['less than nothing', 60, 61, false],
  ])('%s', (_, lifetime, elapsed, expected) => {
    const at = (seconds: number) => new Date(PROBED_AT.getTime() + seconds * 1_000);
    expect(leavesTimeToPay(at(lifetime), PROBED_AT, at(elapsed))).toBe(expected);
  });
});
