import { describe, expect, it } from 'vitest';
import { judge } from '../../src/core/verdict/judge.ts';
import { observe } from '../../src/core/verdict/observation.ts';
import type { ProbeAnswer } from '../../src/core/verdict/probe-outcome.ts';
import { disagreements } from '../support/diagnosing/diagnosing.ts';
import {
  answerOf,
  type ChallengeCase,
  challengeCorpus,
  expectedOf,
  expectVerdict,
} from './challenge-corpus.ts';

const PROBED_AT = new Date('2026-11-15T12:00:00.000Z');

/** Of the scripted transports, an endless body reaches the parser; the others are left to the real prober. */
const cases = challengeCorpus().filter(
  ({ behavior }) => behavior === undefined || behavior.kind === 'big_body',
);

function answeredBy(entry: ChallengeCase): ProbeAnswer {
  const { headers, body } = answerOf(entry);
  return {
    kind: 'answered',
    status: entry.status,
    headers,
    body: new TextEncoder().encode(body),
    bodyComplete: entry.behavior === undefined,
  };
}

describe('challenge corpus against parser and judge', () => {
  it.each(cases.map((entry) => [entry.id, entry.why, entry] as const))('%s: %s', (_id, _why, entry) => {
    const observation = observe(answeredBy(entry));
    expectVerdict(entry, judge(observation, expectedOf(entry), PROBED_AT).verdict);
  });

  it('is explained by diagnostics that agree with the judge', () => {
    const broken = cases.map((entry) => [entry.id, ...disagreements(answeredBy(entry))]);
    expect(broken.filter(({ length }) => length > 1)).toEqual([]);
  });

  it('is run nearly whole', () => {
    expect([challengeCorpus().length, cases.length]).toEqual([205, 189]);
  });
});
