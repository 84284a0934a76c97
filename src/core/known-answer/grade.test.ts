import { describe, expect, it } from 'vitest';
import { aTest } from '../../../tools/samples/catalog.ts';
import { grade, type References } from './grade.ts';
import type { KnownAnswerTest } from './known-answer-test.ts';

const NOW = new Date('2026-11-15T12:00:00.000Z');
const references: References = new Map<string, string | number | boolean>([
  ['rate', 5.4321],
  ['balance', '1000000000000000001'],
  ['owner', '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'],
  ['nothing', 0],
  ['expiry', '2120-01-01T00:00:00Z'],
]);

const quality = (answer: unknown, predicate: object) =>
  grade(answer, aTest(predicate), references, NOW).quality;

const items = [
  { name: 'b', url: 'https://docs.x402.org/a', price: '2.50', at: '2026-11-15T11:00:00Z' },
  { name: 'a', url: 'https://evil.example/x402.org', price: 1, at: 1_763_000_000 },
];
const answer = {
  items,
  balance: '1000000000000000001',
  rate: 5.43,
  allowed: true,
  cold: -11,
  now: 1_794_744_000,
  owner: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
  expires: 'Jan  1 00:00:01 2120 GMT',
  log: ['2025-11-15', 1_794_744_000],
  empty: [],
  nothing: null,
};

describe('the predicates of a known answer', () => {
  it.each<[string, object, 'pass' | 'fail']>([
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
    [
      'letters in another case differ',
      { kind: 'equals', path: '$.items[0].name', to: { value: 'B' } },
      'fail',
    ],
    [
      'letters in another case are the same when the case says nothing',
      { kind: 'equals', path: '$.items[0].name', to: { value: 'B' }, ignore_case: true },
      'pass',
    ],
    [
      'an address equals a reference in any letter case',
      { kind: 'equals', path: '$.owner', to: { reference: 'owner' }, ignore_case: true },
      'pass',
    ],
    ['nothing is there', { kind: 'equals', path: '$.missing', to: { value: 'x' } }, 'fail'],
    ['contains', { kind: 'contains', path: '$.items[*].url', text: 'docs.' }, 'pass'],
    [
      'contains in another case',
      { kind: 'contains', path: '$.owner', text: '0XD8DA', ignore_case: true },
      'pass',
    ],
    ['not contained in another case', { kind: 'contains', path: '$.owner', text: '0XD8DA' }, 'fail'],
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
    [
      'within a part of a hundred',
      { kind: 'number_near', path: '$.rate', to: { reference: 'rate' }, tolerance_percent: 0.04 },
      'pass',
    ],
    [
      'beyond a part of a hundred',
      { kind: 'number_near', path: '$.rate', to: { reference: 'rate' }, tolerance_percent: 0.03 },
      'fail',
    ],
    [
      'a part of a hundred below zero',
      { kind: 'number_near', path: '$.cold', to: { value: -10 }, tolerance_percent: 10 },
      'pass',
    ],
    [
      'within a second of a time, however it is written',
      { kind: 'time_near', path: '$.expires', to: { reference: 'expiry' }, seconds: 1 },
      'pass',
    ],
    [
      'more than half a second from a time',
      { kind: 'time_near', path: '$.expires', to: { reference: 'expiry' }, seconds: 0.5 },
      'fail',
    ],
    ['fresh, in seconds', { kind: 'not_older_than', path: '$.now', seconds: 5 }, 'pass'],
    ['fresh, in ISO 8601', { kind: 'not_older_than', path: '$.items[0].at', seconds: 3_600 }, 'pass'],
    ['a second too old', { kind: 'not_older_than', path: '$.items[0].at', seconds: 3_599 }, 'fail'],
    ['any of several is fresh', { kind: 'not_older_than', path: '$.items[*].at', seconds: 3_600 }, 'pass'],
    ['no time', { kind: 'not_older_than', path: '$.items[0].name', seconds: 60 }, 'fail'],
    ['sorted downwards', { kind: 'sorted_by', path: '$.items', by: '$.price', order: 'descending' }, 'pass'],
    ['not sorted upwards', { kind: 'sorted_by', path: '$.items', by: '$.price', order: 'ascending' }, 'fail'],
    [
      'sorted by a time that is written in two ways',
      { kind: 'sorted_by', path: '$.log', by: '$', order: 'ascending' },
      'pass',
    ],
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

  it('a time ahead of our clock proves no freshness', () => {
    const at = '2026-11-15T13:00:00Z';
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
      aTest(referred),
      answer,
      { quality: 'not_graded', reason: 'reference absent was not available' },
    ],
    [
      'a reference that is no number',
      aTest({ kind: 'number_near', path: '$.rate', to: { reference: 'owner' }, tolerance: 1 }),
      answer,
      { quality: 'not_graded', reason: 'reference owner was not a number' },
    ],
    [
      'a part of a hundred of nothing',
      aTest({ kind: 'number_near', path: '$.rate', to: { reference: 'nothing' }, tolerance_percent: 5 }),
      answer,
      { quality: 'not_graded', reason: 'reference nothing was zero' },
    ],
    [
      'a reference that is no time',
      aTest({ kind: 'time_near', path: '$.expires', to: { reference: 'owner' }, seconds: 1 }),
      answer,
      { quality: 'not_graded', reason: 'reference owner was not a time' },
    ],
    ['the only check', aTest(present), answer, { quality: 'pass', reason: 'the check passed' }],
    ['all checks', aTest(present, present), answer, { quality: 'pass', reason: 'all 2 checks passed' }],
    [
      'the second check',
      aTest(present, { ...present, items: 9 }),
      answer,
      { quality: 'fail', reason: 'check 2 failed: at_least at $.items' },
    ],
    [
      'a text instead of an object',
      aTest(present),
      'oops',
      { quality: 'fail', reason: 'check 1 failed: at_least at $.items' },
    ],
  ])('%s', (_, itsTest, given, result) => {
    expect(grade(given, itsTest, references, NOW)).toEqual(result);
  });
});
