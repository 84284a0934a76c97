import { CRAWL_TIMEOUT_MS, SANE_PRICE_MAX } from '../limits.ts';
import { formatUsd } from '../money/micro-usd.ts';
import type { Claim } from './expected-terms.ts';
import type { BadChallengeFault, Reason, Verdict } from './verdict.ts';

/** One condition for approving a payment. */
export interface Rule {
  readonly id: RuleId;
  /** What must hold, in plain words. */
  readonly demand: string;
  /** The code when it does not hold. */
  readonly reason: Exclude<Reason, 'price_ok'>;
  /** What it is compared with: an expectation, or what others saw. Without it the rule always holds. */
  readonly compares: keyof Claim | 'views' | null;
}

/**
 * Every rule in the order of the judge (gaps G31, G36 and G41): the first that does not hold gives the reason, and later ones
 * are not reached. Documents and receipts are generated from this table.
 */
const TABLE = {
  public_address: rule('ssrf_blocked', 'The URL leads to the public web.'),
  reachable: rule('unreachable', 'The name resolves and the endpoint can be connected to.'),
  in_time: rule('timeout', `The endpoint responds within ${CRAWL_TIMEOUT_MS / 1_000} seconds.`),
  bounded_headers: rule('bad_challenge', 'The header fields of the response are not too large to read.'),
  healthy: rule('server_error', 'The response is not a server error (HTTP 5xx).'),
  asks_payment: rule('no_paywall', 'The response is HTTP 402 and carries x402 payment terms.'),
  readable: rule('bad_challenge', 'The terms are readable and unambiguous.'),
  exact: rule('bad_challenge', 'At least one offer is for an exact amount.'),
  unexpired: rule('bad_challenge', 'The offer has not expired.'),
  one_day: rule('bad_challenge', 'A payment is valid for at most a day after it is signed.'),
  plain_transfer: rule(
    'bad_challenge',
    'USDC is paid by a plain transfer authorization (EIP-3009 on EVM networks).',
  ),
  expected_network: rule('network_mismatch', 'The offer is on the expected network.', 'network'),
  supported_network: rule('network_unsupported', 'The network is a supported mainnet.'),
  usdc: rule('asset_not_usdc', 'The token is the canonical USDC of that network.'),
  expected_payee: rule('pay_to_mismatch', 'The payee is the expected one.', 'payTo'),
  expected_price: rule(
    'price_mismatch',
    'The price is exactly the expected one, to a millionth of a dollar.',
    'price',
  ),
  plausible_price: rule(
    'bad_challenge',
    `The price is above 0 and at most $${formatUsd(SANE_PRICE_MAX)}, unless exactly this price was expected.`,
  ),
  able_payee: rule('bad_challenge', 'The payee is an address that can receive USDC.'),
  one_spelling: rule('bad_challenge', 'No term occurs twice with different values.'),
  one_demand: rule(
    'bad_challenge',
    'All entries that a client could sign, in header and body, pay the same payee on the same kind of chain and ask for no more USDC.',
  ),
  no_trial: rule('free_trial_active', 'The seller does not announce a free trial.'),
  same_for_all: rule('terms_differ', 'No other point of view is asked for another payment.', 'views'),
  confirmed: rule('unconfirmed', 'Enough other points of view are asked for the same payment.', 'views'),
} as const satisfies Readonly<Record<string, Omit<Rule, 'id'>>>;

export type RuleId = keyof typeof TABLE;

// The keys of a const object are exactly its ids, in source order.
export const RULES: readonly Rule[] = (Object.keys(TABLE) as RuleId[]).map((id) => ({ id, ...TABLE[id] }));

function rule(reason: Rule['reason'], demand: string, compares: Rule['compares'] = null): Omit<Rule, 'id'> {
  return { demand, reason, compares };
}

/** The rule that a verdict names as broken; null for `pay`. */
export function brokenRule(verdict: Verdict): RuleId | null {
  if (verdict.reason === 'bad_challenge') return RULE_OF_FAULT[verdict.fault.kind];
  return ruleOfReason(verdict.reason);
}

/** The same by code, for codes that belong to one rule only. */
export function ruleOfReason(reason: Exclude<Reason, 'bad_challenge'>): RuleId | null {
  return reason === 'price_ok' ? null : RULE_OF_REASON[reason];
}

const RULE_OF_REASON: Readonly<Record<Exclude<Rule['reason'], 'bad_challenge'>, RuleId>> = {
  ssrf_blocked: 'public_address',
  unreachable: 'reachable',
  timeout: 'in_time',
  server_error: 'healthy',
  no_paywall: 'asks_payment',
  network_mismatch: 'expected_network',
  network_unsupported: 'supported_network',
  asset_not_usdc: 'usdc',
  pay_to_mismatch: 'expected_payee',
  price_mismatch: 'expected_price',
  free_trial_active: 'no_trial',
  terms_differ: 'same_for_all',
  unconfirmed: 'confirmed',
};

const RULE_OF_FAULT: Readonly<Record<BadChallengeFault['kind'], RuleId>> = {
  headers_too_large: 'bounded_headers',
  unreadable: 'readable',
  not_exact: 'exact',
  expired: 'unexpired',
  price_not_sane: 'plausible_price',
  payee_cannot_receive: 'able_payee',
  spelled_twice: 'one_spelling',
  header_and_body_differ: 'one_demand',
  too_long: 'one_day',
  other_method: 'plain_transfer',
  too_many_entries: 'one_demand',
  other_payee: 'one_demand',
  dearer_entry: 'one_demand',
  odd_entry: 'one_demand',
};
