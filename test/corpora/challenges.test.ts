import { describe, expect, it } from 'vitest';
import { judge } from '../../src/core/verdict/judge.ts';
import { observe } from '../../src/core/verdict/observation.ts';
import { answerOf, challengeCorpus, expectedOf, expectVerdict } from './challenge-corpus.ts';

const PROBED_AT = new Date('2026-11-15T12:00:00.000Z');

/** Of the scripted transports, an endless body reaches the parser; the others are left to the real prober. */
const cases = challengeCorpus().filter(
  ({ behavior }) => behavior === undefined || behavior.kind === 'big_body',
);

describe('challenge corpus against parser and judge', () => {
  it.each(cases.map((entry) => [entry.id, entry.why, entry] as const))('%s: %s', (_id, _why, entry) => {
    const { headers, body } = answerOf(entry);
    const observation = observe({
      kind: 'answered',
      status: entry.status,
      headers,
      body: new TextEncoder().encode(body),
      bodyComplete: entry.behavior === undefined,
    });
    expectVerdict(entry, judge(observation, expectedOf(entry), PROBED_AT).verdict);
  });

  it('is run nearly whole', () => {
    expect([challengeCorpus().length, cases.length]).toEqual([205, 189]);
  });
});
