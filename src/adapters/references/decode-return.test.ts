import { encodeAbiParameters } from 'viem';
import { describe, expect, it } from 'vitest';
import { decodeReturn } from './decode-return.ts';

type Returns = Parameters<typeof decodeReturn>[1];

const word = (hex: string) => `0x${hex.padStart(64, '0')}`;
const MAX = 'f'.repeat(64);
const text = (value: string) => encodeAbiParameters([{ type: 'string' }], [value]);

describe('what a contract returned', () => {
  it.each<[string, string, Returns, number | undefined, string | boolean]>([
    ['nothing', word('0'), 'uint256', undefined, '0'],
    ['a whole number', word('2a'), 'uint256', undefined, '42'],
    [
      'the largest number, to the last digit',
      `0x${MAX}`,
      'uint256',
      undefined,
      '115792089237316195423570985008687907853269984665640564039457584007913129639935',
    ],
    ['minus one', `0x${MAX}`, 'int256', undefined, '-1'],
    ['a price with eight decimals', word('8bb2c97000'), 'int256', 8, '6000.00000000'],
    ['less than one', word('1'), 'uint256', 6, '0.000001'],
    ['less than nothing', `0x${MAX}`, 'int256', 6, '-0.000001'],
    ['decimals that are none', word('2a'), 'uint256', 0, '42'],
    [
      'an address, in small letters',
      word('833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'),
      'address',
      undefined,
      '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
    ],
    ['no', word('0'), 'bool', undefined, false],
    ['yes', word('1'), 'bool', undefined, true],
    ['a text', text('USD Coin'), 'string', undefined, 'USD Coin'],
    ['a text of several words', text('Zürich, '.repeat(9)), 'string', undefined, 'Zürich, '.repeat(9)],
    ['an empty text', text(''), 'string', undefined, ''],
  ])('is %s', (_, hex, returns, decimals, expected) => {
    expect(decodeReturn(hex, returns, decimals)).toBe(expected);
  });

  it.each<[string, string, Returns]>([
    ['no contract is there', '0x', 'uint256'],
    ['a word is too short', '0x2a', 'uint256'],
    ['there are two words', `${word('1')}${'0'.repeat(64)}`, 'uint256'],
    ['it is no hex', `0x${'g'.repeat(64)}`, 'uint256'],
    ['an address is too long', `0x${'1'.repeat(64)}`, 'address'],
    ['a yes is neither', word('2'), 'bool'],
    ['a text is a number', word('2a'), 'string'],
    ['a text is longer than what came', text('USD Coin').slice(0, -64), 'string'],
    ['a text claims to be endless', `${word('20')}${MAX}`, 'string'],
    ['a text begins elsewhere', text('USD Coin').replace('20', '40'), 'string'],
    ['a text is no UTF-8', text('USD Coin').replace('555344', 'ffffff'), 'string'],
  ])('is nothing when %s', (_, hex, returns) => {
    expect(decodeReturn(hex, returns)).toBeNull();
  });
});
