import { describe, expect, it } from 'vitest';
import { readInstant } from './read-instant.ts';

const NOON = Date.UTC(2026, 10, 15, 12);
const MIDNIGHT = Date.UTC(2026, 10, 15);

describe('a time in an answer', () => {
  it.each<[string, unknown, number]>([
    ['unix seconds', 1_794_744_000, NOON],
    ['unix seconds as text', '1794744000', NOON],
    ['unix seconds of a node', '0x6af99ec0', NOON],
    ['unix milliseconds', 1_794_744_000_000, NOON],
    ['unix microseconds', 1_794_744_000_000_000, NOON],
    ['unix nanoseconds, whose digits no number of JSON keeps', '1794744000000000000', NOON],
    ['ISO 8601', '2026-11-15T12:00:00Z', NOON],
    ['ISO 8601 with an offset', '2026-11-15T21:00:00+09:00', NOON],
    ['ISO 8601 with nanoseconds', '2026-11-15T12:00:00.000000000Z', NOON],
    ['no zone, which is read as UTC on every machine', '2026-11-15T12:00:00', NOON],
    ['a blank instead of T, and no zone', '2026-11-15 12:00', NOON],
    ['a blank before the zone', '2026-11-15 12:00:00 UTC', NOON],
    ['T, and a blank before the zone', '2026-11-15T12:00:00 UTC', NOON],
    ['T, a fraction and the name of a zone', '2026-11-15T12:00:00.000GMT', NOON],
    ['T, no seconds, and a blank before an offset', '2026-11-15T21:00 +0900', NOON],
    ['an offset of whole hours, as PostgreSQL writes it', '2026-11-15 21:00:00+09', NOON],
    ['a comma before the fraction', '2026-11-15T12:00:00,000Z', NOON],
    ['the basic form of ISO 8601', '20261115T120000Z', NOON],
    ['the basic form of a day', '20261115', MIDNIGHT],
    ['digits alone, as archives write it', '20261115120000', NOON],
    ['the basic form with an offset', '20261115T210000.000+0900', NOON],
    ['a feed in a zone of RFC 822', 'Sun, 15 Nov 2026 07:00:00 EST', NOON],
    ['a feed in universal time', 'Sun, 15 Nov 2026 12:00:00 UT', NOON],
    ['small letters', '2026-11-15t12:00:00z', NOON],
    ['a day', '2026-11-15', MIDNIGHT],
    ['a mail or a feed', 'Sun, 15 Nov 2026 21:00:00 +0900', NOON],
    ['HTTP', 'Sun, 15 Nov 2026 12:00:00 GMT', NOON],
    ['a certificate', 'Nov 15 12:00:00 2026 GMT', NOON],
    ['a certificate, day of one digit', 'Nov  1 00:00:00 2026 GMT', Date.UTC(2026, 10, 1)],
  ])('is written as %s', (_, value, expected) => {
    expect(readInstant(value)).toBe(expected);
  });

  it.each<[string, unknown]>([
    ['a word and a number, which the platform takes for a day', 'chapter 3'],
    ['a word', 'yesterday'],
    ['a day that does not exist', '2026-13-45'],
    ['a time of no zone we can know', 'Nov 15, 2026 12:00'],
    ['nothing', ''],
    ['yes', true],
    ['null', null],
  ])('is not %s', (_, value) => {
    expect(readInstant(value)).toBeNull();
  });

  it('is the same on a machine in another zone', () => {
    const zone = process.env['TZ'];
    try {
      process.env['TZ'] = 'America/New_York';
      expect(new Date(NOON).getHours()).toBe(7); // The zone is really another one.
      expect(readInstant('2026-11-15 12:00:00')).toBe(NOON);
    } finally {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    }
  });
});
