import { describe, expect, it } from 'vitest';
import { PROBED_AT, verdictOf } from '../../../test/support/judging.ts';
import { answered, ENTRY, header, paywall, THIEF } from '../../../tools/samples/challenge.ts';
import { crawlVerdict } from './crawl-words.ts';
import { judge } from './judge.ts';
import { observe } from './observation.ts';
import type { ProbeOutcome } from './probe-outcome.ts';
import { reasonWords } from './reason-words.ts';
import { isUndecided, VERDICT_OF_REASON } from './verdict.ts';

describe('a target that could not be heard is recheck', () => {
  it.each<[string, ProbeOutcome, object]>([
    ['a timeout', { kind: 'timed_out' }, { reason: 'timeout' }],
    [
      'no such name',
      { kind: 'unreachable', cause: 'name_not_found' },
      { reason: 'unreachable', cause: 'name_not_found' },
    ],
    ['500', answered({ status: 500 }), { reason: 'server_error', status: 500 }],
    ['599 with perfect terms', paywall([ENTRY], { status: 599 }), { reason: 'server_error', status: 599 }],
    [
      '503 with a trial',
      answered({ status: 503, headers: [['x-free-trial', 'true']] }),
      { reason: 'server_error' },
    ],
  ])('%s', (_, outcome, expected) => {
    const verdict = verdictOf(outcome);
    expect(verdict).toMatchObject({ verdict: 'recheck', ...expected });
    expect(isUndecided(verdict)).toBe(true);
  });
});

describe('a free trial (G41)', () => {
  const trial = (left: string): [string, string] => ['x-free-trial-remaining', left];
  const during = (entry: object, left = '3') =>
    answered({ headers: [header({ accepts: [entry] }), trial(left)] });
  it.each<[string, ProbeOutcome, string]>([
    ['postpones good terms', during(ENTRY), 'free_trial_active'],
    ['is over when nothing is left', during(ENTRY, '0'), 'price_ok'],
    ['stands in for no terms', answered({ status: 200, headers: [trial('3')] }), 'free_trial_active'],
    [
      'stands in for no terms, even on 404',
      answered({ status: 404, headers: [trial('3')] }),
      'free_trial_active',
    ],
    ['does not hide another payee', during({ ...ENTRY, payTo: THIEF }), 'pay_to_mismatch'],
    ['does not hide another price', during({ ...ENTRY, amount: '1' }), 'price_mismatch'],
    ['does not hide unreadable terms', during({}), 'bad_challenge'],
  ])('%s', (_, outcome, reason) => {
    expect(verdictOf(outcome).reason).toBe(reason);
    expect(isUndecided(verdictOf(outcome))).toBe(false);
  });

  it('says how many calls are left', () => {
    expect(verdictOf(during(ENTRY))).toMatchObject({ verdict: 'recheck', remaining: 3 });
  });
});

it('keeps hashes of what was received', () => {
  const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  const received = answered({
    headers: [['Payment-Required', 'abc']],
    body: new TextEncoder().encode('abc'),
  });
  expect(observe(received)).toMatchObject({ evidence: { paymentRequiredSha256: abc, bodySha256: abc } });
  expect(observe(answered())).toMatchObject({ evidence: { paymentRequiredSha256: null, bodySha256: null } });
});

it('has one verdict for each of the reason codes', () => {
  expect(VERDICT_OF_REASON).toEqual({
    price_ok: 'pay',
    price_mismatch: 'skip',
    network_mismatch: 'skip',
    pay_to_mismatch: 'skip',
    asset_not_usdc: 'skip',
    network_unsupported: 'skip',
    no_paywall: 'skip',
    free_trial_active: 'recheck',
    timeout: 'recheck',
    server_error: 'recheck',
    unreachable: 'recheck',
    ssrf_blocked: 'skip',
    bad_challenge: 'skip',
    terms_differ: 'skip',
    unconfirmed: 'recheck',
  });
});

describe('a case that the types exclude is a bug, not a verdict', () => {
  const stranger = { kind: 'stranger', reason: 'stranger' } as never;
  const nothing = { price: null, payTo: null, network: null, source: null };
  const answer = { kind: 'answered', status: 402, challenge: stranger, freeTrial: null } as never;
  it.each<[string, () => unknown]>([
    ['judging', () => judge(stranger, nothing, PROBED_AT)],
    ['judging a challenge', () => judge(answer, nothing, PROBED_AT)],
    ['wording', () => reasonWords(stranger)],
    ['wording for the crawl', () => crawlVerdict({ kind: 'judged', verdict: stranger })],
  ])('%s', (_, run) => {
    expect(run).toThrow('a case that the types exclude was reached');
  });
});
