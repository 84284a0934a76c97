import type { MicroUsd } from '../money/micro-usd.ts';
import type { Caip2 } from '../x402/networks.ts';
import type { Terms } from '../x402/terms.ts';
import type { ProbeMethod, UnreachableCause } from './probe-outcome.ts';

/** Incremented whenever the same answer could get another verdict; every receipt names its version. */
export const RULES_VERSION = '6';

/** Only `pay` carries terms: what must not be signed is not part of a verdict. */
export type Verdict = Pay | Skip | Recheck;

/** What one answer is worth by itself: all that one visitor can find out. */
export type AnswerVerdict = Exclude<Verdict, { readonly reason: 'terms_differ' | 'unconfirmed' }>;

export interface Pay {
  readonly verdict: 'pay';
  readonly reason: 'price_ok';
  readonly terms: Terms;
  /** False when no price was claimed, so that only its plausibility was checked. */
  readonly priceCompared: boolean;
}

/** Null for a network without a CAIP-2 form and for a payee that is not an address: a seller's text is not passed on. */
export type Skip = { readonly verdict: 'skip' } & (
  | { readonly reason: 'price_mismatch'; readonly expected: MicroUsd; readonly quoted: MicroUsd }
  | {
      readonly reason: 'network_mismatch';
      readonly expected: Caip2;
      readonly offered: readonly (Caip2 | null)[];
    }
  | { readonly reason: 'pay_to_mismatch'; readonly expected: string; readonly offered: string | null }
  | { readonly reason: 'asset_not_usdc'; readonly network: Caip2 | null }
  | { readonly reason: 'network_unsupported'; readonly network: Caip2 | null }
  | { readonly reason: 'no_paywall'; readonly status: number; readonly hint: Hint | null }
  | { readonly reason: 'bad_challenge'; readonly fault: BadChallengeFault }
  | { readonly reason: 'ssrf_blocked' }
  /** Other points of view saw another payment. */
  | { readonly reason: 'terms_differ' }
);

/** What the request may have lacked that was answered without any payment terms (gap G100). */
export type Hint =
  | { readonly kind: 'needs_input' }
  | { readonly kind: 'wrong_method'; readonly other: ProbeMethod }
  | { readonly kind: 'needs_login' };

export type Recheck = { readonly verdict: 'recheck' } & (
  | { readonly reason: 'free_trial_active'; readonly remaining: number | null }
  | { readonly reason: 'timeout' }
  | { readonly reason: 'server_error'; readonly status: number }
  | { readonly reason: 'unreachable'; readonly cause: UnreachableCause }
  /** Too few other points of view saw the same. */
  | { readonly reason: 'unconfirmed'; readonly agreed: number; readonly needed: number }
);

export type BadChallengeFault =
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'headers_too_large' }
  | { readonly kind: 'not_exact' }
  | { readonly kind: 'expired' }
  | { readonly kind: 'price_not_sane'; readonly quoted: MicroUsd }
  | { readonly kind: 'payee_cannot_receive' }
  | { readonly kind: 'spelled_twice' }
  | { readonly kind: 'header_and_body_differ' }
  | { readonly kind: 'too_long' }
  | { readonly kind: 'other_method' }
  | { readonly kind: 'too_many_entries' }
  | { readonly kind: 'other_payee' }
  | { readonly kind: 'odd_entry' }
  /** Null when its amount cannot be read. */
  | { readonly kind: 'dearer_entry'; readonly network: Caip2 | null; readonly quoted: MicroUsd | null };

export function badChallenge(fault: BadChallengeFault): Extract<Skip, { reason: 'bad_challenge' }> {
  return { verdict: 'skip', reason: 'bad_challenge', fault };
}

export type Reason = Verdict['reason'];

/** The verdict of each reason code; the types above allow no other pair. */
export const VERDICT_OF_REASON = {
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
} as const satisfies { readonly [R in Reason]: Extract<Verdict, { reason: R }>['verdict'] };

export function hintIn(verdict: Verdict): Hint | null {
  return verdict.reason === 'no_paywall' ? verdict.hint : null;
}

/** The endpoint may be in order and wants to know first what it is asked for. */
export function needsInput(verdict: Verdict): boolean {
  return hintIn(verdict)?.kind === 'needs_input';
}

/** We could not tell: such a check is given back or not charged (gaps G06 and G40). */
export function isUndecided(verdict: Verdict): boolean {
  const { reason } = verdict;
  const isTransport = reason === 'timeout' || reason === 'unreachable' || reason === 'server_error';
  return isTransport || reason === 'unconfirmed' || needsInput(verdict);
}
