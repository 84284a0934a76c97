import { describe, expect, it } from 'vitest';
import { convertCurrency, deliverJunk, factorNumber, hashText, type MakeGoods } from './known-answers.ts';

const HELLO = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';
const TOO_MUCH = 'amount must be a number such as 100';
const CURRENCIES = 'from and to must be two of USD, EUR, GBP, CHF, JPY';
const WHOLE = 'n must be a whole number from 1 to 999999999';

function asked(work: MakeGoods, question: Readonly<Record<string, string>>) {
  const goods = work((name) => question[name] ?? null);
  return goods.kind === 'goods' ? goods.body : goods.error;
}

describe('what the sellers know', () => {
  it.each<[string, MakeGoods, Record<string, string>, unknown]>([
    [
      'dollars into euros',
      convertCurrency,
      { amount: '100', from: 'USD', to: 'EUR' },
      { amount: 100, from: 'USD', to: 'EUR', result: 92 },
    ],
    [
      'yen into francs, rounded to cents',
      convertCurrency,
      { amount: '99.5', from: 'JPY', to: 'CHF' },
      { amount: 99.5, from: 'JPY', to: 'CHF', result: 0.58 },
    ],
    [
      'not a currency that nobody knows',
      convertCurrency,
      { amount: '1', from: 'USD', to: 'XXX' },
      CURRENCIES,
    ],
    ['not an amount in words', convertCurrency, { amount: '1e3', from: 'USD', to: 'EUR' }, TOO_MUCH],
    ['not an amount that is missing', convertCurrency, { from: 'USD', to: 'EUR' }, TOO_MUCH],
    ['a hash', hashText, { text: 'hello' }, { text: 'hello', sha256: HELLO }],
    ['not the hash of nothing', hashText, {}, 'text must be sent'],
    ['not the hash of a book', hashText, { text: 'x'.repeat(10_001) }, 'text must be sent'],
    ['factors', factorNumber, { n: '360' }, { n: 360, factors: [2, 2, 2, 3, 3, 5] }],
    ['a prime', factorNumber, { n: '999999937' }, { n: 999_999_937, factors: [999_999_937] }],
    ['the square of a prime', factorNumber, { n: '49' }, { n: 49, factors: [7, 7] }],
    ['one', factorNumber, { n: '1' }, { n: 1, factors: [] }],
    ['not zero', factorNumber, { n: '0' }, WHOLE],
    ['not ten digits', factorNumber, { n: '1000000000' }, WHOLE],
    [
      'nothing, but says something',
      deliverJunk,
      { text: 'hello' },
      { result: 'Lorem ipsum dolor sit amet.' },
    ],
  ])('%s', (_, work, question, answer) => {
    expect(asked(work, question)).toEqual(answer);
  });
});
