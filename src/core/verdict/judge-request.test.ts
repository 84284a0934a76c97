import { describe, expect, it } from 'vitest';
import { answered, ENTRY, paywall } from '../../../tools/samples/challenge.ts';
import { expectedTerms } from './expected-terms.ts';
import { type AskedRequest, judgeRequest } from './judge-request.ts';
import { observe } from './observation.ts';
import type { ProbeOutcome } from './probe-outcome.ts';
import { type Hint, isUndecided } from './verdict.ts';
import { verdictWords } from './verdict-words.ts';

const NOON = new Date('2026-11-15T12:00:00.000Z');
const NOTHING = expectedTerms({ price: null, payTo: null, network: null }, null);
const GET: AskedRequest = { method: 'GET', listedMethod: null, takesPath: false };
const NEEDS_INPUT: Hint = { kind: 'needs_input' };
const WANTS_POST: Hint = { kind: 'wrong_method', other: 'POST' };
const NEEDS_LOGIN: Hint = { kind: 'needs_login' };

const judged = (outcome: ProbeOutcome, asked: Partial<AskedRequest> = {}) =>
  judgeRequest(observe(outcome), { ...GET, ...asked }, NOTHING, NOON).verdict;
const allowing = (...allow: string[]): ProbeOutcome =>
  answered({ status: 405, headers: allow.map((methods) => ['Allow', methods]) });

describe('an answer without payment terms', () => {
  it.each<[number, Hint | null]>([
    [200, null],
    [302, null],
    [400, NEEDS_INPUT],
    [401, NEEDS_LOGIN],
    [402, null],
    [403, NEEDS_LOGIN],
    [404, null],
    [405, WANTS_POST],
    [406, null],
    [407, NEEDS_LOGIN],
    [410, null],
    [411, NEEDS_INPUT],
    [415, NEEDS_INPUT],
    [422, NEEDS_INPUT],
    [429, null],
  ])('HTTP %i', (status, hint) => {
    const verdict = judged(answered({ status }));
    expect(verdict).toEqual({ verdict: 'skip', reason: 'no_paywall', status, hint });
    expect(isUndecided(verdict)).toBe(hint === NEEDS_INPUT);
    expect(verdictWords(verdict)).toContain(`HTTP ${status}`);
  });

  it.each<[string, ProbeOutcome, Partial<AskedRequest>, Hint | null]>([
    [
      'a 400 to GET where the listing says POST',
      answered({ status: 400 }),
      { listedMethod: 'POST' },
      WANTS_POST,
    ],
    [
      'a 404 to GET where the listing says POST',
      answered({ status: 404 }),
      { listedMethod: 'POST' },
      WANTS_POST,
    ],
    [
      'a 422 to GET where the listing says POST',
      answered({ status: 422 }),
      { listedMethod: 'POST' },
      NEEDS_INPUT,
    ],
    ['a 400 to the listed method', answered({ status: 400 }), { listedMethod: 'GET' }, NEEDS_INPUT],
    ['a 404 to a path that takes values', answered({ status: 404 }), { takesPath: true }, NEEDS_INPUT],
    ['a 405 that allows the other method', allowing('POST, OPTIONS'), {}, WANTS_POST],
    ['a 405 that allows neither', allowing('PUT'), {}, null],
    ['a 405 to POST', answered({ status: 405 }), { method: 'POST' }, { kind: 'wrong_method', other: 'GET' }],
  ])('%s', (_, outcome, asked, hint) => {
    expect(judged(outcome, asked)).toMatchObject({ reason: 'no_paywall', hint });
  });
});

it('names the method that the endpoint may want', () => {
  expect(verdictWords(judged(allowing('POST')))).toBe(
    'The endpoint answered HTTP 405 and asked for no payment; it may want POST. Check it again with method POST.',
  );
});

it('leaves every other verdict as it is', () => {
  expect(judged(paywall([ENTRY]))).toMatchObject({ verdict: 'pay' });
  expect(judged(answered({ status: 500 }))).toMatchObject({ reason: 'server_error' });
  expect(judged(answered({ status: 400, headers: [['x-free-trial', 'true']] }))).toMatchObject({
    reason: 'free_trial_active',
  });
  expect(judged({ kind: 'timed_out' })).toMatchObject({ reason: 'timeout' });
});
