import { describe, expect, it } from 'vitest';
import { readFreeTrial } from './free-trial.ts';

describe('a free trial in the headers (G41)', () => {
  it.each<[string, [string, string][], number | null | undefined]>([
    ['no header', [], undefined],
    ['a flag', [['X-Free-Trial', 'true']], null],
    ['an empty flag', [['x-free-trial', '']], null],
    ['a flag that says no', [['x-free-trial', 'No']], undefined],
    [
      'a flag that says false beside a counter',
      [
        ['x-free-trial', ' false '],
        ['x-free-trial-remaining', '3'],
      ],
      3,
    ],
    [
      'two counters',
      [
        ['x-free-trial-remaining', '0'],
        ['x-free-trial-remaining', '5'],
      ],
      null,
    ],
    ['a flag that says false', [['x-free-trial', 'False']], undefined],
    ['nine digits', [['x-free-trial-remaining', '123456789']], 123_456_789],
    ['a flag of zero', [['x-free-trial', '0']], undefined],
    ['a counter alone', [['x-free-trial-remaining', '3']], 3],
    ['a counter of zero', [['x-free-trial-remaining', '0']], 0],
    [
      'a flag and a counter',
      [
        ['x-free-trial', 'yes'],
        ['x-free-trial-remaining', '\t12 '],
      ],
      12,
    ],
    ['an empty counter', [['x-free-trial-remaining', '']], null],
    ['a negative counter', [['x-free-trial-remaining', '-1']], null],
    ['a counter with an exponent', [['x-free-trial-remaining', '1e3']], null],
    ['full-width digits', [['x-free-trial-remaining', '０３']], null],
    ['ten digits', [['x-free-trial-remaining', '1234567890']], null],
    ['another trial header', [['x-free-trial-expires', '2026-12-31']], undefined],
  ])('%s', (_, headers, remaining) => {
    expect(readFreeTrial(headers)?.remaining).toBe(remaining);
  });
});
