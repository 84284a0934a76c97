import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { grade, type References } from './grade.ts';
import { type KnownAnswerTest, knownAnswerTest } from './known-answer-test.ts';

const NOW = new Date('2026-11-15T12:00:00.000Z');
const references: References = new Map<string, string | number | boolean>([
  ['rate', 5.4321],
  ['balance', '1000000000000000001'],
]);

function test(...predicates: unknown[]): KnownAnswerTest {
  return knownAnswerTest.parse({ input: 'a request', pass_if: 'a rule', predicates });
}

const quality = (answer: unknown, predicate: unknown) =>
  grade(answer, test(predicate), references, NOW).quality;

const items = [
  { name: 'b', url: 'https://docs.x402.org/a', price: '2.50', at: '2026-11-15T11:00:00Z' },
  { name: 'a', url: 'https://evil.example/x402.org', price: 1, at: 1_763_000_000 },
];
const answer = {
  items,
  balance: '1000000000000000001',
  rate: 5.43,
  allowed: true,
  now: 1_794_744_000,
  empty: [],
  nothing: null,
};

describe('the predicates of a known answer', () => {
  it.each<[string, unknown, 'pass' | 'fail']>([
    ['equals a text', { kind: 'equals', path: '$.items[0].name', to: { value: 'b' } }, 'pass'],
    ['equals for any of several', { kind: 'equals', path: '$.items[*].name', to: { value: 'a' } }, 'pass'],
    [
      'equals a number written as text',
      { kind: 'equals', path: '$.items[0].price', to: { value: 2.5 } },
      'pass',
    ],
    ['equals true', { kind: 'equals', path: '$.allowed', to: { value: true } }, 'pass'],
    ['true is not one', { kind: 'equals', path: '$.allowed', to: { value: 1 } }, 'fail'],
    [
      'equals a reference to the last digit',
      { kind: 'equals', path: '$.balance', to: { reference: 'balance' } },
      'pass',
    ],
    ['nothing is there', { kind: 'equals', path: '$.missing', to: { value: 'x' } }, 'fail'],
    ['contains', { kind: 'contains', path: '$.items[*].url', text: 'docs.' }, 'pass'],
    ['contains is about text', { kind: 'contains', path: '$.rate', text: '5' }, 'fail'],
    ['on a host, or below it', { kind: 'on_host', path: '$.items[0].url', host: 'x402.org' }, 'pass'],
    [
      'a host in the path is not the host',
      { kind: 'on_host', path: '$.items[1].url', host: 'x402.org' },
      'fail',
    ],
    ['a name is not on any host', { kind: 'on_host', path: '$.items[0].name', host: 'x402.org' }, 'fail'],
    ['between', { kind: 'number_between', path: '$.rate', min: 0.3, max: 6 }, 'pass'],
    [
      'between for every one of several',
      { kind: 'number_between', path: '$.items[*].price', min: 2, max: 3 },
      'fail',
    ],
    ['between needs a number', { kind: 'number_between', path: '$.items[0].name', min: 0, max: 1 }, 'fail'],
    ['near a value', { kind: 'number_near', path: '$.rate', to: { value: 5.4 }, tolerance: 0.05 }, 'pass'],
    [
      'near a reference',
      { kind: 'number_near', path: '$.rate', to: { reference: 'rate' }, tolerance: 0.003 },
      'pass',
    ],
    [
      'too far from a reference',
      { kind: 'number_near', path: '$.rate', to: { reference: 'rate' }, tolerance: 0.002 },
      'fail',
    ],
    ['fresh, in seconds', { kind: 'not_older_than', path: '$.now', seconds: 5 }, 'pass'],
    ['fresh, in ISO 8601', { kind: 'not_older_than', path: '$.items[0].at', seconds: 3_600 }, 'pass'],
    ['a second too old', { kind: 'not_older_than', path: '$.items[0].at', seconds: 3_599 }, 'fail'],
    ['any of several is fresh', { kind: 'not_older_than', path: '$.items[*].at', seconds: 3_600 }, 'pass'],
    ['no time', { kind: 'not_older_than', path: '$.items[0].name', seconds: 60 }, 'fail'],
    ['sorted downwards', { kind: 'sorted_by', path: '$.items', by: '$.price', order: 'descending' }, 'pass'],
    ['not sorted upwards', { kind: 'sorted_by', path: '$.items', by: '$.price', order: 'ascending' }, 'fail'],
    ['sorted by a time', { kind: 'sorted_by', path: '$.items[*]', by: '$.at', order: 'descending' }, 'pass'],
    [
      'sorted by something that is not there',
      { kind: 'sorted_by', path: '$.items', by: '$.x', order: 'ascending' },
      'fail',
    ],
    ['nothing to sort', { kind: 'sorted_by', path: '$.empty', by: '$.x', order: 'ascending' }, 'fail'],
    ['at least two', { kind: 'at_least', path: '$.items', items: 2 }, 'pass'],
    ['at least two, selected one by one', { kind: 'at_least', path: '$.items[*]', items: 2 }, 'pass'],
    ['not three', { kind: 'at_least', path: '$.items', items: 3 }, 'fail'],
    ['every item has', { kind: 'every_item_has', path: '$.items', has: '$.url' }, 'pass'],
    ['not every item has', { kind: 'every_item_has', path: '$.items', has: '$.missing' }, 'fail'],
    ['no items have nothing', { kind: 'every_item_has', path: '$.empty', has: '$.url' }, 'fail'],
  ])('%s', (_, predicate, result) => {
    expect(quality(answer, predicate)).toBe(result);
  });

  it.each<[string, unknown, unknown, 'pass' | 'fail']>([
    ['neighbours beyond 2^53 differ', '1000000000000000002', { reference: 'balance' }, 'fail'],
    ['a rounded number equals the rounded reference', 1e18, { reference: 'balance' }, 'pass'],
    ['trailing zeros say nothing', '2.50', { value: '2.5' }, 'pass'],
    ['leading zeros say nothing', '-007', { value: -7 }, 'pass'],
    ['an exponent is no plain number', '1e3', { value: 1_000 }, 'fail'],
    ['infinity is no number', '1e400', { value: 1 }, 'fail'],
  ])('equality of numbers: %s', (_, value, to, result) => {
    expect(quality({ value }, { kind: 'equals', path: '$.value', to })).toBe(result);
  });

  it.each<[string, unknown]>([
    ['an hour ahead of our clock', '2026-11-15T13:00:00Z'],
    ['a day in words', 'yesterday'],
  ])('a time is not fresh when it is %s', (_, at) => {
    expect(quality({ at }, { kind: 'not_older_than', path: '$.at', seconds: 86_400 })).toBe('fail');
  });

  it('a link of another kind is on no host', () => {
    expect(quality({ u: 'ftp://x402.org/' }, { kind: 'on_host', path: '$.u', host: 'x402.org' })).toBe(
      'fail',
    );
    expect(
      quality(
        { u: `https://x402.org/${'x'.repeat(3_000)}` },
        { kind: 'on_host', path: '$.u', host: 'x402.org' },
      ),
    ).toBe('fail');
  });
});

describe('a grade', () => {
  const present = { kind: 'at_least', path: '$.items', items: 1 };
  const referred = { kind: 'number_near', path: '$.rate', to: { reference: 'absent' }, tolerance: 1 };

  it.each<[string, KnownAnswerTest | null, unknown, object]>([
    ['no test', null, answer, { quality: 'not_graded', reason: 'no known-answer test' }],
    [
      'a reference that could not be asked',
      test(referred),
      answer,
      { quality: 'not_graded', reason: 'reference absent was not available' },
    ],
    ['all checks', test(present, present), answer, { quality: 'pass', reason: 'all 2 checks passed' }],
    [
      'the second check',
      test(present, { ...present, items: 9 }),
      answer,
      { quality: 'fail', reason: 'check 2 failed: at_least at $.items' },
    ],
    [
      'a text instead of an object',
      test(present),
      'oops',
      { quality: 'fail', reason: 'check 1 failed: at_least at $.items' },
    ],
  ])('%s', (_, itsTest, given, result) => {
    expect(grade(given, itsTest, references, NOW)).toEqual(result);
  });

  it('fails and does not throw on an answer that is too deep for a path', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`);
    expect(grade(deep, test({ kind: 'at_least', path: '$..b', items: 1 }), references, NOW).quality).toBe(
      'fail',
    );
  });

  it('is pass or fail for any answer, and never throws', () => {
    const every = test(
      { kind: 'equals', path: '$..*', to: { value: 'x' } },
      { kind: 'on_host', path: '$..*', host: 'x.example' },
      { kind: 'number_between', path: '$..*', min: 0, max: 1 },
      { kind: 'not_older_than', path: '$..*', seconds: 1 },
      { kind: 'sorted_by', path: '$', by: '$..*', order: 'ascending' },
      { kind: 'every_item_has', path: '$', has: '$..*' },
    );
    fc.assert(
      fc.property(fc.jsonValue(), (any) => {
        for (const predicate of every.predicates) {
          const single = { ...every, predicates: [predicate] };
          expect(['pass', 'fail']).toContain(grade(any, single, references, NOW).quality);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('is not reached by a predicate that the types exclude', () => {
    const stranger = {
      ...test(present),
      predicates: [{ ...test(present).predicates[0], kind: 'stranger' }],
    } as never;
    expect(() => grade(answer, stranger, references, NOW)).toThrow('a case that the types exclude');
  });
});

it.each<[string, unknown]>([
  ['an unknown predicate', { kind: 'feels_right', path: '$' }],
  ['a path that is none', { kind: 'at_least', path: '$.items[', items: 1 }],
  ['a member too many', { kind: 'at_least', path: '$', items: 1, extra: 1 }],
  ['a value and a reference at once', { kind: 'equals', path: '$', to: { value: 1, reference: 'rate' } }],
])('a known-answer test with %s is refused', (_, predicate) => {
  expect(() => test(predicate)).toThrow();
});
