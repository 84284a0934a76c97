import { describe, expect, it } from 'vitest';
import { isSameNumber, readNumber } from './read-number.ts';

const LONGEST = '115792089237316195423570985008687907853269984665640564039457584007913129639935';

describe('a number in an answer', () => {
  it.each<[string, unknown, number | null]>([
    ['a number', 4.2, 4.2],
    ['a number as text', '-4.20', -4.2],
    ['a quantity of a node', '0x2a', 42],
    ['a quantity of 128 bits', `0x${'f'.repeat(32)}`, 2 ** 128],
    ['no number: an address', '0xd8da6bf26964af9d7eed9e03e53415d37aa96045', null],
    ['no number: a text', 'about 4', null],
    ['no number: nothing', '', null],
    ['no number: an exponent', '1e3', null],
    ['no number: beyond all numbers', Number.POSITIVE_INFINITY, null],
    ['no number: yes', true, null],
    ['no number: a list of one', [1], null],
  ])('is %s', (_, value, expected) => {
    expect(readNumber(value)).toBe(expected);
  });

  it.each<[string, unknown, unknown, boolean]>([
    ['trailing zeros say nothing', '2.50', '2.5', true],
    ['leading zeros say nothing', '-007', -7, true],
    ['a quantity of a node is its number', '0x2a', 42, true],
    ['neighbours beyond 2^53 differ', '1000000000000000002', '1000000000000000001', false],
    ['a rounded number equals the rounded reference', 1e18, '1000000000000000001', true],
    ['the longest integer, to the last digit', LONGEST, LONGEST, true],
    ['the longest integer but one', LONGEST.replace(/5$/, '4'), LONGEST, false],
    ['an exponent is no plain number', '1e3', 1_000, false],
    ['infinity is no number', '1e400', 1, false],
    ['two texts are no numbers', 'a', 'a', false],
  ])('is the same or not: %s', (_, value, wanted, expected) => {
    expect(isSameNumber(value, wanted)).toBe(expected);
  });
});
