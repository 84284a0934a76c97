import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatUsd,
  microUsd,
  parseMaxUsd,
  parseMaxUsdNumber,
  parseUsd,
  parseUsdNumber,
  usdNumber,
} from './micro-usd.ts';

describe('a price in text', () => {
  it.each<[string, string, bigint]>([
    ['whole dollars', '9', 9_000_000n],
    ['cents', '0.01', 10_000n],
    ['the smallest amount', '0.000001', 1n],
    ['nothing', '0', 0n],
    ['nothing, with decimals', '0.00', 0n],
    ['below a millionth, rounded down', '0.0100004', 10_000n],
    ['below a millionth, rounded half up', '0.0000005', 1n],
    ['rounding that carries into the dollars', '0.9999999', 1_000_000n],
    ['a value that floats cannot hold: 1.005', '1.005', 1_005_000n],
    ['the largest price', '999999999999.999999', 999_999_999_999_999_999n],
  ])('%s', (_, text, micros) => {
    expect(parseUsd(text)).toBe(micros);
  });

  it.each<[string, string]>([
    ['empty: Number would say 0', ''],
    ['blank', ' '],
    ['surrounding blanks', ' 1'],
    ['hexadecimal', '0x10'],
    ['an exponent', '1e9'],
    ['a sign', '+1'],
    ['negative', '-1'],
    ['a leading zero, which may mean octal', '01'],
    ['no whole part', '.5'],
    ['no fraction after the point', '1.'],
    ['two points', '1.2.3'],
    ['a comma', '1,5'],
    ['a separator', '1_000'],
    ['words', 'NaN'],
    ['infinite', 'Infinity'],
    ['full-width digits', '１'],
    ['a trailing newline', '1\n'],
    ['too many whole digits', '1000000000000'],
    ['too many decimals', `0.${'0'.repeat(41)}`],
  ])('refuses %s', (_, text) => {
    expect(parseUsd(text)).toBeNull();
  });
});

describe('a price as a JSON number', () => {
  it.each<[string, number, bigint | null]>([
    ['a plain decimal', 0.01, 10_000n],
    ['a number that prints with an exponent', 1e-7, 0n],
    ['half a millionth, rounded up', 5e-7, 1n],
    ['a product that floats cannot hold', 0.0033 * 1.1, 3_630n],
    ['a third of a cent', 1 / 300, 3_333n],
    ['above 2^53 atomic units, as written', 9007199254.740992, 9_007_199_254_740_992n],
    ['not a number', Number.NaN, null],
    ['infinite', Number.POSITIVE_INFINITY, null],
    ['negative', -0.01, null],
    ['beyond any price', 1e21, null],
  ])('%s', (_, value, micros) => {
    expect(parseUsdNumber(value)).toBe(micros);
  });
});

describe('a maximum is rounded down', () => {
  it.each<[string, string, bigint | null]>([
    ['as it is', '0.02', 20_000n],
    ['just below a price', '0.0009999', 999n],
    ['almost a dollar', '0.9999999', 999_999n],
    ['less than a millionth', '0.0000009', 0n],
    ['just above a price', '0.0010009', 1_000n],
    ['an exponent', '1e-2', null],
    ['nothing at all', '', null],
  ])('text: %s', (_, text, micros) => {
    expect(parseMaxUsd(text)).toBe(micros);
  });

  it.each<[string, number, bigint | null]>([
    ['just below a price', 0.0009999, 999n],
    ['a number that prints with an exponent', 9.999_999_999_999e-7, 0n],
    ['a millionth', 0.000_001, 1n],
    ['beyond any price', 1e21, null],
    ['negative', -0.01, null],
    ['not a number', Number.NaN, null],
  ])('number: %s', (_, value, micros) => {
    expect(parseMaxUsdNumber(value)).toBe(micros);
  });
});

describe('a price for people', () => {
  it.each<[bigint, string, number]>([
    [0n, '0', 0],
    [1n, '0.000001', 0.000001],
    [20_000n, '0.02', 0.02],
    [9_000_000n, '9', 9],
    [10_100_000n, '10.1', 10.1],
  ])('%s micro-USD', (micros, text, number) => {
    expect(formatUsd(microUsd(micros))).toBe(text);
    expect(usdNumber(microUsd(micros))).toBe(number);
  });

  it('stays a finite number for the largest amount a challenge can ask', () => {
    expect(usdNumber(microUsd(2n ** 256n - 1n))).toBe(1.157920892373162e71);
  });

  it('round-trips through text', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 999_999_999_999_999_999n }), (micros) => {
        expect(parseUsd(formatUsd(microUsd(micros)))).toBe(micros);
      }),
    );
  });
});

it('an amount of money is never negative', () => {
  expect(() => microUsd(-1n)).toThrow('never negative');
});
