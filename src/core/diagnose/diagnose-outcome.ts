import { judgeOffers } from '../verdict/judge-offers.ts';
import type { ProbeOutcome } from '../verdict/probe-outcome.ts';
import type { Reading } from '../verdict/reading.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { MAINNETS } from '../x402/networks.ts';
import { diagnose, NO_EXPECTATION } from './diagnose.ts';
import type { Diagnostic } from './diagnostic.ts';

const HEADERS_TOO_LARGE: Diagnostic = { code: 'headers_too_large', source: 'answer', path: null };

/** What a seller has to change. An answer that is approved without an expectation is not read a second time. */
export function diagnoseOutcome(
  outcome: ProbeOutcome,
  reading: Reading,
  seenAt?: Date,
): readonly Diagnostic[] {
  if (outcome.kind === 'headers_too_large') return [HEADERS_TOO_LARGE];
  return outcome.kind !== 'answered' || isApproved(reading, seenAt) ? [] : diagnose(outcome, seenAt);
}

function isApproved(reading: Reading, seenAt = new Date(0)): boolean {
  if (reading.kind !== 'answered' || reading.challenge.kind !== 'readable') return false;
  const { verdict } = judgeOffers(reading.challenge, NO_EXPECTATION, seenAt, MAINNETS);
  return verdict.verdict === 'pay';
}

/** Only a refusal is explained: a caller may have claimed the very price that is refused without a claim. */
export function toldWith({ verdict }: Verdict, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return verdict === 'skip' ? diagnostics : [];
}
