import { describe, expect, it } from 'vitest';
import { cellsOf } from './plain-text.ts';
import { type Column, table } from './table.ts';

const COLUMNS: readonly Column[] = [
  { head: 'id' },
  { head: 'price', align: 'right' },
  { head: 'reason', cut: 'end' },
  { head: 'url', cut: 'middle' },
];
const ROWS = [
  ['a', '0.01', 'price mismatch: listed $0.01, 402 asks $0.05', 'https://one.example/data'],
  ['bb', '12', 'no 402 challenge', 'https://two.example/a/very/long/path/to/something/else'],
];

describe('a table', () => {
  it('is aligned, and as wide as it needs to be', () => {
    expect(table(COLUMNS, ROWS, 200)).toEqual([
      'id  price  reason                                        url',
      'a    0.01  price mismatch: listed $0.01, 402 asks $0.05  https://one.example/data',
      'bb     12  no 402 challenge                              https://two.example/a/very/long/path/to/something/else',
    ]);
  });

  it('takes from the widest columns when it must fit', () => {
    expect(table(COLUMNS, ROWS, 60)).toEqual([
      'id  price  reason                   url',
      'a    0.01  price mismatch: listed…  https://one.example/data',
      'bb     12  no 402 challenge         https://two.…ething/else',
    ]);
  });

  it.each([20, 40, 60, 80, 133])('never is wider than %i cells', (cells) => {
    for (const line of table(COLUMNS, ROWS, cells)) expect(cellsOf(line)).toBeLessThanOrEqual(cells);
  });

  it('shows text of strangers as text, and wide letters as wide', () => {
    const rows = [
      ['\u001b[2J', '1', '天気', 'x\ny'],
      ['b', '2', 'ab', 'z'],
    ];
    expect(table(COLUMNS, rows, 80)).toEqual([
      'id    price  reason  url',
      '?[2J      1  天気    x y',
      'b         2  ab      z',
    ]);
  });

  it('without rows is its heads', () => {
    expect(table(COLUMNS, [], 80)).toEqual(['id  price  reason  url']);
  });
});
