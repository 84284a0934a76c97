import { formatUsd } from '../money/micro-usd.ts';
import { reasonWords } from '../verdict/reason-words.ts';
import type { AnswerVerdict } from '../verdict/verdict.ts';
import { found } from './checks.ts';
import type { Finding, Level } from './finding.ts';

/** The verdict in words for the one who sells. */
export function verdictWords(verdict: AnswerVerdict): string {
  if (verdict.reason !== 'price_ok' || verdict.priceCompared) return reasonWords(verdict);
  const { amountAtomic, network } = verdict.terms;
  return `The 402 asks $${formatUsd(amountAtomic)} in USDC on ${network}. No price was given to compare with.`;
}

/** Faults of the terms that are explained one by one need no sentence for them all. */
const EXPLAINED: ReadonlySet<AnswerVerdict['reason']> = new Set([
  'bad_challenge',
  'asset_not_usdc',
  'network_unsupported',
  'no_paywall',
]);

export function verdictFindings(verdict: AnswerVerdict, explained: readonly Finding[]): Finding[] {
  const isExplained = explained.some(({ level }) => level === 'error') && EXPLAINED.has(verdict.reason);
  if (verdict.verdict === 'pay' || isExplained) return [];
  const level: Level = verdict.reason === 'free_trial_active' ? 'note' : 'error';
  return [found('verdict', 'answer', { level, problem: verdictWords(verdict), fix: FIXES[verdict.reason] })];
}

const FIXES: Readonly<Record<Exclude<AnswerVerdict['reason'], 'price_ok'>, string>> = {
  price_mismatch: 'Ask for the price that you announce, or announce the price that you ask.',
  network_mismatch: 'Offer an entry on the network that you announce.',
  pay_to_mismatch:
    'Ask for payment to the wallet that you announce. Look for an old address in the settings.',
  asset_not_usdc: 'Offer an entry with the canonical USDC of its network.',
  network_unsupported: 'Offer an entry on a mainnet such as eip155:8453.',
  no_paywall: 'Answer an unpaid request with HTTP 402 and the terms.',
  free_trial_active: 'Nothing: the endpoint is checked again when the trial is over.',
  timeout: 'Answer an unpaid request within five seconds.',
  server_error: 'Answer an unpaid request with 402, also while what you sell is not available.',
  unreachable: 'Make the endpoint reachable from outside, with a valid certificate.',
  ssrf_blocked: 'Publish an address that leads to the public web.',
  bad_challenge: 'Change what the sentence names.',
};
