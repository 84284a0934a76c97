import { describe, expect, it } from 'vitest';
import { bytes, NOTHING, verdictOf } from '../../../test/support/judging.ts';
import { VERDICTS, type VerdictName } from '../../../test/support/verdicts.ts';
import { answered, ENTRY, header, PAYEE } from '../../../tools/samples/challenge.ts';
import { network } from '../../../tools/samples/listed.ts';
import { microUsd } from '../money/micro-usd.ts';
import type { Claim } from './expected-terms.ts';
import type { ProbeOutcome } from './probe-outcome.ts';
import { brokenRule, RULES, type RuleId } from './rules.ts';
import { VERDICT_OF_REASON } from './verdict.ts';

const BASE = network('base');
const SEPOLIA = network('base-sepolia');
const PRICE = { ...NOTHING, price: microUsd(10_000n) };
const PAYEE_AND_PRICE = { ...PRICE, payTo: PAYEE };
const ALL = { ...PAYEE_AND_PRICE, network: BASE };

const TRIAL: [string, string] = ['x-free-trial', 'true'];
const OTHER_BODY = bytes({ x402Version: 1, accepts: [{ ...ENTRY, amount: '7' }] });
/** Each member breaks one rule; an offer with several of them breaks all of these. */
const BREAKS = {
  twice: { pay_to: PAYEE.replace('2', '3') },
  burnt: { payTo: `0x${'0'.repeat(40)}` },
  absurd: { amount: '0' },
  euro: { asset: '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42' },
  testnet: { network: 'eip155:84532' },
  permit: { extra: { assetTransferMethod: 'permit2' } },
  long: { maxTimeoutSeconds: 86_401 },
  late: { validBefore: 1 },
  upto: { scheme: 'upto' },
};
type Break = keyof typeof BREAKS;

function demanding(...breaks: Break[]): ProbeOutcome {
  const entry = Object.assign({}, ENTRY, ...breaks.map((name) => BREAKS[name]));
  return answered({ headers: [header({ x402Version: 2, accepts: [entry] }), TRIAL], body: OTHER_BODY });
}

const unreadable = (status: number): ProbeOutcome =>
  answered({ status, headers: [['PAYMENT-REQUIRED', '%%%'], TRIAL] });

/** For each rule an answer that breaks it and every later rule that it can. */
const FIRST_BROKEN: [rule: RuleId, outcome: ProbeOutcome, claim: Claim][] = [
  ['public_address', { kind: 'blocked' }, ALL],
  ['reachable', { kind: 'unreachable', cause: 'connection_failed' }, ALL],
  ['in_time', { kind: 'timed_out' }, ALL],
  ['bounded_headers', { kind: 'headers_too_large' }, ALL],
  ['healthy', unreadable(503), ALL],
  ['asks_payment', answered({ status: 200 }), ALL],
  ['readable', unreadable(402), ALL],
  ['exact', demanding('twice', 'burnt', 'absurd', 'euro', 'testnet', 'permit', 'long', 'late', 'upto'), ALL],
  ['unexpired', demanding('twice', 'burnt', 'absurd', 'euro', 'testnet', 'permit', 'long', 'late'), ALL],
  ['one_day', demanding('twice', 'burnt', 'absurd', 'euro', 'testnet', 'long'), ALL],
  ['plain_transfer', demanding('twice', 'burnt', 'absurd', 'euro', 'testnet', 'permit'), ALL],
  ['expected_network', demanding('twice', 'burnt', 'absurd', 'euro', 'testnet'), ALL],
  [
    'supported_network',
    demanding('twice', 'burnt', 'absurd', 'euro', 'testnet'),
    { ...ALL, network: SEPOLIA },
  ],
  ['usdc', demanding('twice', 'burnt', 'absurd', 'euro'), ALL],
  ['expected_payee', demanding('twice', 'burnt', 'absurd'), ALL],
  ['expected_price', demanding('twice', 'burnt', 'absurd'), PRICE],
  ['plausible_price', demanding('twice', 'burnt', 'absurd'), NOTHING],
  ['able_payee', demanding('twice', 'burnt'), NOTHING],
  ['one_spelling', demanding('twice'), NOTHING],
  ['one_demand', demanding(), NOTHING],
];

/** A trial postpones what would be approved; others are asked about the same. */
const AFTER_THE_OFFERS: readonly RuleId[] = ['no_trial', 'same_for_all', 'confirmed'];

describe('the table of rules', () => {
  it('has the rules in the order in which the judge applies them', () => {
    expect(RULES.map(({ id }) => id)).toEqual([...FIRST_BROKEN.map(([rule]) => rule), ...AFTER_THE_OFFERS]);
  });

  it.each(FIRST_BROKEN)('%s is named before all that come after it', (rule, outcome, claim) => {
    const verdict = verdictOf(outcome, claim);
    expect([brokenRule(verdict), verdict.reason]).toEqual([
      rule,
      RULES.find(({ id }) => id === rule)?.reason,
    ]);
  });

  it('ends with the trial, which only postpones what would be approved', () => {
    const honest = [header({ x402Version: 2, accepts: [ENTRY] })];
    expect(brokenRule(verdictOf(answered({ headers: [...honest, TRIAL] }), ALL))).toBe('no_trial');
    expect(brokenRule(verdictOf(answered({ headers: honest }), ALL))).toBeNull();
  });

  it.each(Object.keys(VERDICTS) as VerdictName[])('knows the verdict %s', (name) => {
    const verdict = VERDICTS[name];
    const rule = RULES.find(({ id }) => id === brokenRule(verdict));
    expect(rule?.reason ?? 'price_ok').toBe(verdict.reason);
  });

  it('has every reason', () => {
    const reasons = new Set(['price_ok', ...RULES.map(({ reason }) => reason)]);
    expect([...reasons].sort()).toEqual(Object.keys(VERDICT_OF_REASON).sort());
  });
});
