import { describe, expect, it } from 'vitest';
import type { ServiceVerdict } from '../../core/catalog/service-verdict.ts';
import { microUsd } from '../../core/money/micro-usd.ts';
import { serviceWordCard } from './service-word.ts';

const UNPAID: ServiceVerdict = {
  word: 'unpaid',
  calls: 0,
  graded: 0,
  passed: 0,
  delivered: 0,
  chargedCalls: 0,
  charged: microUsd(0n),
};

const wordsOf = async (changes: Partial<ServiceVerdict>) =>
  String(await serviceWordCard({ ...UNPAID, ...changes }, ''))
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ');

describe('the card of a service', () => {
  it.each<[string, Partial<ServiceVerdict>, string]>([
    ['was never paid', {}, 'No paid calls yet'],
    [
      'passes',
      { word: 'passes', calls: 20, graded: 20, passed: 19 },
      'Passes: 19 of 20 graded answers were right',
    ],
    [
      'passes',
      { word: 'passes', calls: 20, graded: 20, passed: 19 },
      '95 % right; with 95 % confidence between 76 and 99 %',
    ],
    [
      'is mixed',
      { word: 'mixed', calls: 9, graded: 9, passed: 8 },
      'Mixed: 8 of 9 graded answers were right',
    ],
    ['fails', { word: 'fails', calls: 3, graded: 3, passed: 1 }, 'Fails: 1 of 3 graded answers was right'],
    [
      'takes money and is never right',
      { word: 'junk', calls: 5, graded: 4, delivered: 5, chargedCalls: 4, charged: microUsd(40_000n) },
      'Took $0.04 in 4 calls and gave no right answer',
    ],
    [
      'takes money and is never right',
      { word: 'junk', calls: 5, graded: 4, delivered: 5, chargedCalls: 4, charged: microUsd(40_000n) },
      '5 calls with our own money: 5 returned an answer, $0.04 was charged for 4 of them.',
    ],
    [
      'delivers nothing',
      { word: 'undelivered', calls: 3 },
      'Not delivered: the last 3 paid calls returned no answer',
    ],
    ['delivers nothing', { word: 'undelivered', calls: 3 }, '0 returned an answer, nothing was charged.'],
    [
      'has few grades',
      { word: 'too_few', calls: 2, graded: 1, passed: 1 },
      'Too few graded answers: 1 of 1 right so far',
    ],
    [
      'has no grade',
      { word: 'too_few', calls: 1, delivered: 1 },
      'Not graded yet: 1 of 1 call returned an answer',
    ],
  ])('leads with the word on a service that %s', async (_, changes, words) => {
    expect(await wordsOf(changes)).toContain(words);
  });

  it('says how the word is decided', async () => {
    const words = await wordsOf({});
    for (const rule of [
      'A word needs at least 3 graded answers.',
      'Passes: at least 90 % right.',
      'Fails: less than 50 % right.',
      'the last 3 calls returned no answer',
      'From the newest 20 calls',
    ]) {
      expect(words).toContain(rule);
    }
  });
});
