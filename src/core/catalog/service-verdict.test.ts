import { describe, expect, it } from 'vitest';
import { aCall } from '../../../tools/samples/catalog.ts';
import type { PaidCall, Quality } from '../known-answer/paid-call.ts';
import { microUsd } from '../money/micro-usd.ts';
import { type ServiceVerdict, serviceVerdict } from './service-verdict.ts';

const graded = (quality: Quality, count: number, changes: Partial<PaidCall> = {}) =>
  Array.from({ length: count }, () => aCall({ quality, ...changes }));
const undelivered = { quality: 'not_graded', delivered: false } as const;
const wordOf = (calls: readonly PaidCall[]) => serviceVerdict(calls).word;

describe('the word of our own paid calls', () => {
  it.each<[string, PaidCall[], ServiceVerdict['word']]>([
    ['no call', [], 'unpaid'],
    ['two right answers, which are too few', graded('pass', 2), 'too_few'],
    ['two wrong answers, which are too few', graded('fail', 2), 'too_few'],
    ['calls without a known answer', graded('not_graded', 9), 'too_few'],
    ['three right answers', graded('pass', 3), 'passes'],
    ['nine of ten', [...graded('pass', 9), ...graded('fail', 1)], 'passes'],
    ['eight of nine, which is below nine tenths', [...graded('pass', 8), ...graded('fail', 1)], 'mixed'],
    ['exactly half', [...graded('pass', 5), ...graded('fail', 5)], 'mixed'],
    ['less than half', [...graded('pass', 4), ...graded('fail', 5)], 'fails'],
    ['no right answer, and money was taken', graded('fail', 3), 'junk'],
    ['no right answer, and nothing was taken', graded('fail', 3, { charged: null }), 'fails'],
    ['no right answer, and zero was taken', graded('fail', 3, { charged: microUsd(0n) }), 'fails'],
    ['one charge is enough', [...graded('fail', 2, { charged: null }), ...graded('fail', 1)], 'junk'],
    ['ungraded calls do not dilute the rate', [...graded('pass', 3), ...graded('not_graded', 9)], 'passes'],
    ['the last three delivered nothing', [...graded('not_graded', 3, undelivered)], 'undelivered'],
    ['it delivered before', [...graded('not_graded', 3, undelivered), ...graded('pass', 17)], 'undelivered'],
    ['it delivers again', [aCall(), ...graded('not_graded', 3, undelivered)], 'too_few'],
    [
      'we failed three times, not the seller',
      [...graded('not_graded', 3, { ...undelivered, ourFault: true }), ...graded('pass', 3)],
      'passes',
    ],
    [
      'only calls that failed on our side',
      graded('not_graded', 3, { ...undelivered, ourFault: true }),
      'too_few',
    ],
  ])('%s', (_, calls, word) => {
    expect(wordOf(calls)).toBe(word);
  });

  it('counts what was paid, what came back and what was right', () => {
    const calls = [
      ...graded('fail', 2, { charged: microUsd(10_000n) }),
      aCall({ quality: 'fail', charged: null }),
      aCall({ ...undelivered, charged: microUsd(2_500n) }),
      aCall({ ...undelivered, charged: null, ourFault: true }),
    ];
    expect(serviceVerdict(calls)).toEqual({
      word: 'junk',
      calls: 5,
      graded: 3,
      passed: 0,
      delivered: 3,
      chargedCalls: 3,
      charged: 22_500n,
    });
  });
});
