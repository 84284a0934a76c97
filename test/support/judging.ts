import { type Claim, expectedTerms } from '../../src/core/verdict/expected-terms.ts';
import { judge } from '../../src/core/verdict/judge.ts';
import { observe } from '../../src/core/verdict/observation.ts';
import type { ProbeOutcome } from '../../src/core/verdict/probe-outcome.ts';
import { LISTED } from '../../tools/samples/listed.ts';

export const PROBED_AT = new Date('2026-11-15T12:00:00.000Z');
export const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
export const USDC_ON_SOLANA = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
export const SOLANA_PAYEE = '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV';
export const DAI = '0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb';

export const NOTHING: Claim = { price: null, payTo: null, network: null };

export function judged(outcome: ProbeOutcome, claim: Claim = LISTED) {
  return judge(observe(outcome), expectedTerms(claim, null), PROBED_AT);
}

export function verdictOf(outcome: ProbeOutcome, claim: Claim = LISTED) {
  return judged(outcome, claim).verdict;
}

export function bytes(document: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(document));
}
