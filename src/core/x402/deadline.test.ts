import { describe, expect, it } from 'vitest';
import { ENTRY } from '../../../tools/samples/challenge.ts';
import { deadlineOf } from './deadline.ts';
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
