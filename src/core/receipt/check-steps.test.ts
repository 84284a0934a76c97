import { describe, expect, it } from 'vitest';
import { bytes, NOTHING, PROBED_AT } from '../../../test/support/judging.ts';
import { answered, ENTRY, header, PAYEE, paywall, THIEF } from '../../../tools/samples/challenge.ts';
import { aCrawlReceipt } from '../../../tools/samples/crawl-rows.ts';
import { LISTED, target } from '../../../tools/samples/listed.ts';
import { type Claim, expectedTerms } from '../verdict/expected-terms.ts';
import { judge } from '../verdict/judge.ts';
import { observe } from '../verdict/observation.ts';
import type { ProbeOutcome } from '../verdict/probe-outcome.ts';
import { type CheckStep, stepsOfCrawl, stepsOfLive } from './check-steps.ts';
import type { CrawlReceipt } from './crawl-receipt.ts';
import { judgedOffer } from './judged-offer.ts';
import { type LiveReceipt, liveReceipt } from './live-receipt.ts';
import { diffCrawl } from './terms-diff.ts';

function receiptOf(outcome: ProbeOutcome, claim: Claim = LISTED): LiveReceipt {
  const observation = observe(outcome);
  const expected = expectedTerms(claim, null);
  return liveReceipt({
    id: 'sc-0000000000000000',
    target: target('https://a.example/'),
    method: 'GET',
    checkedAt: PROBED_AT,
    selfTest: false,
    mode: 'live',
    ref: null,
    task: null,
    listing: null,
    expected,
    observation,
    probe: { probedAt: PROBED_AT, cached: false },
    verdict: judge(observation, expected, PROBED_AT).verdict,
  });
}

/** One letter a rule: passed, failed, nothing to compare with, not reached. */
const LETTERS = { pass: 'P', fail: 'F', not_compared: 'c', not_reached: '-' } as const;
const letters = (steps: readonly CheckStep[] | null) =>
  steps?.map(({ state }) => LETTERS[state]).join('') ?? null;

const entry = (changes: object) => paywall([{ ...ENTRY, ...changes }]);
const trial: [string, string] = ['x-free-trial', 'true'];
const TWO_DEMANDS = paywall([ENTRY], {
  body: bytes({ x402Version: 1, accepts: [{ ...ENTRY, amount: '7' }] }),
});

describe('the steps of a live receipt', () => {
  it.each<[string, ProbeOutcome, Claim, string]>([
    ['everything holds', paywall([ENTRY]), LISTED, 'PPPPPPPPPPPPPPPPPPPPP'],
    ['everything holds that can be asked', paywall([ENTRY]), NOTHING, 'PPPPPPPPPPPcPPccPPPPP'],
    [
      'nothing can be connected to',
      { kind: 'unreachable', cause: 'tls_failed' },
      LISTED,
      'PF-------------------',
    ],
    ['too slow', { kind: 'timed_out' }, LISTED, 'PPF------------------'],
    ['endless headers', { kind: 'headers_too_large' }, LISTED, 'PPPF-----------------'],
    ['a server error', answered({ status: 503 }), LISTED, 'PPPPF----------------'],
    ['no paywall', answered({ status: 200 }), LISTED, 'PPPPPF---------------'],
    [
      'terms that cannot be read',
      answered({ headers: [['PAYMENT-REQUIRED', '%']] }),
      LISTED,
      'PPPPPPF--------------',
    ],
    ['no exact amount', entry({ scheme: 'upto' }), LISTED, 'PPPPPPPF-------------'],
    ['another network', entry({ network: 'polygon' }), LISTED, 'PPPPPPPPPPPF---------'],
    ['another payee', entry({ payTo: THIEF }), LISTED, 'PPPPPPPPPPPPPPF------'],
    ['another price', entry({ amount: '1' }), LISTED, 'PPPPPPPPPPPPPPPF-----'],
    ['an absurd price', entry({ amount: '0' }), NOTHING, 'PPPPPPPPPPPcPPccF----'],
    ['a second demand', TWO_DEMANDS, LISTED, 'PPPPPPPPPPPPPPPPPPPF-'],
    [
      'a trial over good terms',
      paywall([ENTRY], { headers: [header({ x402Version: 2, accepts: [ENTRY] }), trial] }),
      LISTED,
      'PPPPPPPPPPPPPPPPPPPPF',
    ],
    ['a trial without terms', answered({ status: 200, headers: [trial] }), LISTED, 'PPPPP---------------F'],
  ])('%s', (_, outcome, claim, expected) => {
    expect(letters(stepsOfLive(receiptOf(outcome, claim)))).toBe(expected);
  });
});

describe('the steps of a receipt from before statements', () => {
  const olderRule = (outcome: ProbeOutcome) =>
    letters(stepsOfLive({ ...receiptOf(outcome), seen: null, salt: null }));

  it('are those of its offers, else the last one that it cannot show', () => {
    expect(olderRule(entry({ amount: '0' }))).toBe('PPPPPPPPPPPPPPPF-----');
    expect(olderRule(TWO_DEMANDS)).toBe('PPPPPPPPPPPPPPPPPPPF-');
    expect(olderRule(answered({ headers: [['PAYMENT-REQUIRED', '%']] }))).toBe('PPPPPPF--------------');
  });
});

describe('the offer that a receipt speaks of', () => {
  it('is the one the judge chose, in whatever order they came', () => {
    const dear = { ...ENTRY, amount: '50000' };
    for (const entries of [
      [dear, ENTRY],
      [ENTRY, dear],
    ]) {
      expect(judgedOffer(receiptOf(paywall(entries)))?.amountAtomic).toBe(10_000n);
    }
  });

  it('is none where nothing could be read', () => {
    expect(judgedOffer(receiptOf(answered({ status: 200 })))).toBeNull();
  });
});

describe('a crawl receipt', () => {
  it.each<[string, Partial<CrawlReceipt>, string | null]>([
    ['as expected', { verdict: 'pay', code: 'price_ok' }, 'PPPPPPPPPPPPPPPPPPPPP'],
    ['a dearer one', { code: 'price_mismatch' }, 'PPPPPPPPPPPPPPPF-----'],
    ['a host that is gone', { code: 'name_not_found', payTo: null }, 'PF-------------------'],
    [
      'terms that cannot be read',
      { code: 'bad_challenge', reason: 'bad challenge (HTTP 402)', payTo: null },
      'PPPPPPF--------------',
    ],
    ['an absurd price', { code: 'bad_challenge', reason: 'price not sane ($0)' }, 'PPPPPPPPPPPPPPPPF----'],
    ['terms that were read and refused', { code: 'bad_challenge', reason: 'bad challenge (HTTP 402)' }, null],
    ['a template', { code: 'path_template' }, null],
    ['a URL that was not requested', { code: 'host_silent', payTo: null }, null],
  ])('%s', (_, changes, expected) => {
    expect(letters(stepsOfCrawl(aCrawlReceipt(changes)))).toBe(expected);
  });

  it('is listed against live', () => {
    const rows = diffCrawl(aCrawlReceipt({ listedNetwork: null, listedPayTo: PAYEE }));
    expect(rows.map(({ field, state }) => `${field} ${state}`)).toEqual([
      'price different',
      'network unknown',
      'asset unknown',
      'payee different',
      'method same',
    ]);
  });
});
