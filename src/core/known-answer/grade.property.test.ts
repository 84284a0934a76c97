import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aTest } from '../../../tools/samples/catalog.ts';
import { grade, type References } from './grade.ts';

const NOW = new Date('2026-11-15T12:00:00.000Z');
const references: References = new Map([['expiry', '2120-01-01T00:00:00Z']]);
const answer = { items: [1] };

describe('a grade', () => {
  const present = { kind: 'at_least', path: '$.items', items: 1 };

  it('fails and does not throw on an answer that is too deep for a path', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`);
    expect(grade(deep, aTest({ kind: 'at_least', path: '$..b', items: 1 }), references, NOW).quality).toBe(
      'fail',
    );
  });

  it('is pass or fail for any answer, and never throws', () => {
    const every = aTest(
      { kind: 'equals', path: '$..*', to: { value: 'x' } },
      { kind: 'on_host', path: '$..*', host: 'x.example' },
      { kind: 'number_between', path: '$..*', min: 0, max: 1 },
      { kind: 'time_near', path: '$..*', to: { reference: 'expiry' }, seconds: 1 },
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
      ...aTest(present),
      predicates: [{ ...aTest(present).predicates[0], kind: 'stranger' }],
    } as never;
    expect(() => grade(answer, stranger, references, NOW)).toThrow('a case that the types exclude');
  });
});
