import { describe, expect, it } from 'vitest';
import { NOTHING, PROBED_AT } from '../../../test/support/judging.ts';
import { viewOf } from '../../../test/support/vantage/views.ts';
import { answered, ENTRY, PAYEE, paywall, THIEF } from '../../../tools/samples/challenge.ts';
import { microUsd } from '../money/micro-usd.ts';
import { MAINNETS } from '../x402/networks.ts';
import type { Expected } from './expected-terms.ts';
import { judgeViews } from './judge-views.ts';
import { observe } from './observation.ts';
import type { ProbeOutcome } from './probe-outcome.ts';
import { isUndecided } from './verdict.ts';

const ASKED = { method: 'GET', listedMethod: null, takesPath: false } as const;
const UNKNOWN: Expected = { ...NOTHING, source: null };
const LISTED: Expected = { ...NOTHING, payTo: PAYEE, price: microUsd(10_000n), source: 'listing' };

const HONEST = paywall([ENTRY]);
const THEFT = paywall([{ ...ENTRY, payTo: THIEF }]);
const DEARER = paywall([{ ...ENTRY, amount: '20000' }]);
const ELSEWHERE = paywall([{ ...ENTRY, network: 'eip155:1', asset: MAINNETS[1]?.usdc }]);
const DOWN: ProbeOutcome = { kind: 'timed_out' };
const GONE: ProbeOutcome = { kind: 'unreachable', cause: 'name_not_found' };
const FREE = answered({ status: 200 });
const TRIAL = { ...HONEST, headers: [...HONEST.headers, ['x-free-trial', 'true']] } as const;

function verdict(own: ProbeOutcome, views: readonly ProbeOutcome[], expected = UNKNOWN, needed = 1) {
  const seen = { needed, views: views.map((outcome, n) => viewOf(outcome, undefined, n)) };
  return judgeViews(observe(own), seen, ASKED, expected, PROBED_AT).verdict;
}

const pay = { verdict: 'pay', reason: 'price_ok' };
const differ = { verdict: 'skip', reason: 'terms_differ' };
const unconfirmed = (agreed: number, needed: number) => ({
  verdict: 'recheck',
  reason: 'unconfirmed',
  agreed,
  needed,
});

describe('a payment that we would approve', () => {
  it.each<[string, readonly ProbeOutcome[], Expected, number, object]>([
    ['every view agrees', [HONEST, HONEST], UNKNOWN, 2, pay],
    ['enough views agree, one is away', [HONEST, DOWN], UNKNOWN, 1, pay],
    ['a view sees another payee', [HONEST, THEFT], UNKNOWN, 1, differ],
    ['a view sees another payee than the listed one', [THEFT], LISTED, 1, differ],
    ['a view sees another price', [DEARER], UNKNOWN, 1, differ],
    ['a view sees another network', [ELSEWHERE], UNKNOWN, 1, differ],
    ['a view sees terms that nobody could sign', [paywall([{ ...ENTRY, amount: '0' }])], UNKNOWN, 1, differ],
    ['nobody answered', [], UNKNOWN, 1, unconfirmed(0, 1)],
    ['one of two answered', [HONEST], UNKNOWN, 2, unconfirmed(1, 2)],
    ['a view could not reach it', [HONEST, DOWN], UNKNOWN, 2, unconfirmed(1, 2)],
    ['a view was served for nothing', [FREE], UNKNOWN, 1, unconfirmed(0, 1)],
    ['a view was offered a free trial', [TRIAL], UNKNOWN, 1, unconfirmed(0, 1)],
  ])('%s', (_, views, expected, needed, judged) => {
    expect(verdict(HONEST, views, expected, needed)).toMatchObject(judged);
  });

  it('has the terms that we saw ourselves, whoever agrees', () => {
    const lower = paywall([{ ...ENTRY, payTo: PAYEE.toLowerCase(), maxTimeoutSeconds: 30 }]);
    expect(verdict(HONEST, [lower])).toMatchObject({ terms: { payTo: PAYEE, maxTimeoutSeconds: 60 } });
  });
});

it('is what we see alone where nobody else was asked', () => {
  expect(judgeViews(observe(HONEST), null, ASKED, UNKNOWN, PROBED_AT).verdict).toMatchObject(pay);
});

describe('what we would refuse', () => {
  it.each<[string, ProbeOutcome, readonly ProbeOutcome[], object]>([
    ['and so would the others', THEFT, [THEFT, DOWN], { reason: 'pay_to_mismatch' }],
    ['and nobody else answered', THEFT, [], { reason: 'pay_to_mismatch' }],
    ['while others see other terms', THEFT, [HONEST], differ],
    ['for want of terms that others see', FREE, [HONEST, FREE], unconfirmed(1, 1)],
    ['for want of a name that others resolve', GONE, [HONEST, GONE], unconfirmed(1, 1)],
    ['and others cannot tell', FREE, [DOWN], { reason: 'no_paywall' }],
  ])('%s', (_, own, views, judged) => {
    expect(verdict(own, views, LISTED)).toMatchObject(judged);
  });
});

describe('what we could not tell', () => {
  it('stays as it is, whatever others see', () => {
    expect(verdict(DOWN, [HONEST, HONEST])).toMatchObject({ verdict: 'recheck', reason: 'timeout' });
  });

  it('but for the name, the cause of a failure decides nothing', () => {
    const refused: ProbeOutcome = { kind: 'unreachable', cause: 'connection_failed' };
    expect(verdict(refused, [HONEST])).toMatchObject({ verdict: 'recheck', reason: 'unreachable' });
  });

  it('a payment that nobody confirmed is neither charged nor counted', () => {
    expect([verdict(HONEST, []), verdict(HONEST, [THEFT])].map(isUndecided)).toEqual([true, false]);
  });
});
