import { expect, it } from 'vitest';
import { readValidBefore } from './valid-before.ts';

const FIRST_MS = Date.UTC(2027, 0, 15, 8);

it.each<[string | number, number | null]>([
  [1_800_000_000, FIRST_MS],
  ['1800000000', FIRST_MS],
  ['2027-01-15T08:00Z', FIRST_MS],
  ['2027-01-15t08:00:00z', FIRST_MS],
  ['2027-01-15 08:00:07', FIRST_MS + 7_000],
  ['2027-01-15T08:00:00.0019Z', FIRST_MS + 1],
  ['2027-01-15T23:59:59Z', Date.UTC(2027, 0, 15, 23, 59, 59)],
  ['2027-01-15T10:30:00+02:30', FIRST_MS],
  ['2027-01-15T05:30:00-0230', FIRST_MS],
  ['2027-01-16T07:59:00+23:59', FIRST_MS],
  [0, 0],
  ['1970-01-01', 0],
  ['1969-12-31T23:59:59Z', null],
  ['1970-01-01T00:00:00+00:01', null],
  ['9999-12-31T23:59:59.999Z', Date.UTC(9999, 11, 31, 23, 59, 59, 999)],
  ['9999-12-31T23:59:00-00:01', null],
  ['2027-01-15T24:00Z', null],
  ['2027-01-15T08:60Z', null],
  ['2027-01-15T08:00:60Z', null],
  ['2027-01-15T08:00:00+24:00', null],
  ['2027-01-15T08:00:00+01:60', null],
  ['2027-01-15T08:00:00.Z', null],
  ['2027-01-15T08:00:00.1234567890Z', null],
  ['x2027-01-15', null],
  ['2027-01-15x', null],
  ['01800000000', null],
  ['-1', null],
  [1.5, null],
])('%j is %j', (validBefore, ms) => {
  expect(readValidBefore({ validBefore })).toBe(ms);
});
