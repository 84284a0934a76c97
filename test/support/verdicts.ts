import { microUsd } from '../../src/core/money/micro-usd.ts';
import type { UnreachableCause } from '../../src/core/verdict/probe-outcome.ts';
import { type BadChallengeFault, badChallenge, type Verdict } from '../../src/core/verdict/verdict.ts';
import type { Terms } from '../../src/core/x402/terms.ts';
import { BASE, PAYEE, THIEF, USDC_ON_BASE } from '../../tools/samples/challenge.ts';
import { network } from '../../tools/samples/listed.ts';

const base = network(BASE);
const terms: Terms = {
  scheme: 'exact',
  network: base,
  asset: USDC_ON_BASE,
  amountAtomic: microUsd(10_000n),
  payTo: PAYEE,
  deadline: new Date('2026-11-15T12:01:00Z'),
  deadlineSource: 'default_60s',
  maxTimeoutSeconds: 60,
};

const skip = { verdict: 'skip' } as const;
const recheck = { verdict: 'recheck' } as const;
const price = (expected: bigint, quoted: bigint): Verdict => ({
  ...skip,
  reason: 'price_mismatch',
  expected: microUsd(expected),
  quoted: microUsd(quoted),
});
const fault = (kind: Exclude<BadChallengeFault['kind'], 'price_not_sane' | 'dearer_entry'>): Verdict =>
  badChallenge({ kind });
const away = (cause: UnreachableCause): Verdict => ({ ...recheck, reason: 'unreachable', cause });
const manyNetworks = Array.from({ length: 9 }, (_, index) => network(`eip155:${index + 1_000}`));

/** Every kind of verdict there is, once. */
export const VERDICTS = {
  pay: { verdict: 'pay', reason: 'price_ok', terms, priceCompared: true },
  payUncompared: { verdict: 'pay', reason: 'price_ok', terms, priceCompared: false },
  dearer: price(10_000n, 50_000n),
  cheaper: price(6_000_000n, 50_000n),
  otherNetwork: { ...skip, reason: 'network_mismatch', expected: base, offered: [network('polygon'), null] },
  otherNetworks: { ...skip, reason: 'network_mismatch', expected: base, offered: manyNetworks },
  otherPayee: { ...skip, reason: 'pay_to_mismatch', expected: PAYEE, offered: THIEF },
  wordyPayee: { ...skip, reason: 'pay_to_mismatch', expected: PAYEE, offered: null },
  otherToken: { ...skip, reason: 'asset_not_usdc', network: base },
  testnet: { ...skip, reason: 'network_unsupported', network: network('base-sepolia') },
  namelessNetwork: { ...skip, reason: 'network_unsupported', network: null },
  noPaywall: { ...skip, reason: 'no_paywall', status: 200, hint: null },
  empty402: { ...skip, reason: 'no_paywall', status: 402, hint: null },
  redirect: { ...skip, reason: 'no_paywall', status: 308, hint: null },
  unreadable: fault('unreadable'),
  headersTooLarge: fault('headers_too_large'),
  notExact: fault('not_exact'),
  expired: fault('expired'),
  burningPayee: fault('payee_cannot_receive'),
  spelledTwice: fault('spelled_twice'),
  twoDemands: fault('header_and_body_differ'),
  tooLong: fault('too_long'),
  otherMethod: fault('other_method'),
  tooManyEntries: fault('too_many_entries'),
  entryToOther: fault('other_payee'),
  oddEntry: fault('odd_entry'),
  dearerEntry: badChallenge({ kind: 'dearer_entry', network: base, quoted: microUsd(990_000n) }),
  unreadEntry: badChallenge({ kind: 'dearer_entry', network: null, quoted: null }),
  absurdPrice: badChallenge({ kind: 'price_not_sane', quoted: microUsd(1_000_000_000n) }),
  blocked: { ...skip, reason: 'ssrf_blocked' },
  trial: { ...recheck, reason: 'free_trial_active', remaining: null },
  countedTrial: { ...recheck, reason: 'free_trial_active', remaining: 3 },
  timeout: { ...recheck, reason: 'timeout' },
  serverError: { ...recheck, reason: 'server_error', status: 503 },
  noSuchName: away('name_not_found'),
  lookupFailed: away('name_lookup_failed'),
  noConnection: away('connection_failed'),
  badCertificate: away('tls_failed'),
  notHttp: away('not_http'),
  termsDiffer: { ...skip, reason: 'terms_differ' },
  unconfirmed: { ...recheck, reason: 'unconfirmed', agreed: 1, needed: 2 },
} as const satisfies Record<string, Verdict>;

export type VerdictName = keyof typeof VERDICTS;
