import { ACCEPTS_MAX_ENTRIES } from '../limits.ts';
import { formatUsd } from '../money/micro-usd.ts';
import { unreachable } from '../unreachable.ts';
import type { Caip2 } from '../x402/networks.ts';
import type { UnreachableCause } from './probe-outcome.ts';
import type { AnswerVerdict, BadChallengeFault, Verdict } from './verdict.ts';

/**
 * What one answer is worth in plain words, as in the free tier. Made only of our own sentences, numbers, CAIP-2 names and statuses, never of
 * a seller's text (gap G49).
 */
export function reasonWords(verdict: AnswerVerdict): string {
  switch (verdict.reason) {
    case 'price_ok':
      return priceOkWords(verdict);
    case 'price_mismatch':
      return priceMismatchWords(verdict);
    case 'network_mismatch':
      return `The live 402 does not offer the expected network ${verdict.expected}; it offers ${names(verdict.offered)}.`;
    case 'pay_to_mismatch':
      return 'The payee of the live 402 is not the expected payee.';
    case 'asset_not_usdc':
      return `The live 402 asks for a token other than the canonical USDC on ${verdict.network}.`;
    case 'network_unsupported':
      return `The live 402 asks for payment on ${name(verdict.network)}, which is not a supported mainnet.`;
    case 'no_paywall':
      return noPaywallWords(verdict.status);
    case 'bad_challenge':
      return badChallengeWords(verdict.fault);
    case 'ssrf_blocked':
      return 'This URL leads to a blocked address, or to a host that opted out; nothing was sent.';
    case 'free_trial_active':
      return freeTrialWords(verdict.remaining);
    case 'timeout':
      return 'The endpoint did not answer within 5 seconds; check again later.';
    case 'server_error':
      return `The endpoint answered HTTP ${verdict.status}; check again later.`;
    case 'unreachable':
      return UNREACHABLE_WORDS[verdict.cause];
    default:
      return unreachable(verdict);
  }
}

function priceOkWords({ terms, priceCompared }: Extract<Verdict, { reason: 'price_ok' }>): string {
  const asks = `The live 402 asks $${formatUsd(terms.amountAtomic)} in USDC on ${terms.network}`;
  if (priceCompared) return `${asks}, as expected.`;
  return `${asks}; no claimed or listed price to compare with. Send claimed_price to compare.`;
}

/** The direction of the difference: a higher price endangers the buyer, a lower one is a fault of the listing (gap G37). */
function priceMismatchWords({ expected, quoted }: Extract<Verdict, { reason: 'price_mismatch' }>): string {
  const way = quoted > expected ? 'more' : 'less';
  return `The live 402 asks $${formatUsd(quoted)}, ${way} than the expected $${formatUsd(expected)}.`;
}

function noPaywallWords(status: number): string {
  if (status === 402) return 'The endpoint answered HTTP 402 without any x402 payment terms.';
  if (status >= 300 && status <= 399) {
    return `The endpoint answered HTTP ${status} and redirects elsewhere; check the new address instead.`;
  }
  return `The endpoint answered HTTP ${status} without asking for payment.`;
}

function badChallengeWords(fault: BadChallengeFault): string {
  if (fault.kind === 'dearer_entry') return dearerWords(fault);
  if (fault.kind !== 'price_not_sane') return BAD_CHALLENGE_WORDS[fault.kind];
  return `The live 402 asks $${formatUsd(fault.quoted)}, which is not plausible without a claimed or listed price.`;
}

function dearerWords({ network, quoted }: Extract<BadChallengeFault, { kind: 'dearer_entry' }>): string {
  const amount = quoted === null ? 'an amount that cannot be read' : `$${formatUsd(quoted)}`;
  return anotherEntry(`asks for ${amount} in USDC on ${name(network)}`);
}

function anotherEntry(demand: string): string {
  return `Another entry of the live 402 ${demand}; a client could sign that one instead.`;
}

const BAD_CHALLENGE_WORDS = {
  too_long: 'The live 402 asks for a signature that may be valid for more than a day.',
  other_method: 'The live 402 asks for another method than a plain transfer authorization.',
  too_many_entries: `The live 402 has more than ${ACCEPTS_MAX_ENTRIES} entries; a client could sign one that was not read.`,
  odd_entry: anotherEntry('asks for USDC by another method, or for longer than a day'),
  other_payee: anotherEntry('pays another payee'),
  unreadable: 'The live 402 carries payment terms that cannot be read.',
  headers_too_large: 'The response has header fields too large to read.',
  not_exact: 'The live 402 offers no payment of an exact amount.',
  expired: 'The live 402 carries payment terms that have already expired.',
  payee_cannot_receive: 'The live 402 pays an address that cannot receive USDC.',
  spelled_twice: 'The live 402 gives a payment term twice with different values.',
  header_and_body_differ: 'The live 402 asks for one payment in its header and for another in its body.',
} as const;

const UNREACHABLE_WORDS: Readonly<Record<UnreachableCause, string>> = {
  name_not_found: 'The host name does not resolve; check the address, or check again later.',
  name_lookup_failed: 'The host name lookup failed; check again later.',
  connection_failed: 'Could not connect to the endpoint; check again later.',
  tls_failed: 'The endpoint has no valid certificate for its name; check again later.',
  not_http: 'The endpoint did not respond with valid HTTP; check again later.',
};

function freeTrialWords(remaining: number | null): string {
  const left = remaining === null ? '' : ` (${remaining} calls left)`;
  return `The endpoint announces a free trial${left}; check again when it is over.`;
}

const NAMED_NETWORKS = 8;

function names(networks: readonly (Caip2 | null)[]): string {
  const more = networks.length > NAMED_NETWORKS ? ' and others' : '';
  return networks.slice(0, NAMED_NETWORKS).map(name).join(', ') + more;
}

function name(network: Caip2 | null): string {
  return network ?? 'a network without a CAIP-2 name';
}
