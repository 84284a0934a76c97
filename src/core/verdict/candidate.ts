import { DEADLINE_DEFAULT_SECONDS } from '../limits.ts';
import { microUsd } from '../money/micro-usd.ts';
import type { NonEmpty } from '../non-empty.ts';
import { order } from '../order.ts';
import { isSameAddress } from '../x402/address.ts';
import { type Deadline, deadlineOf } from '../x402/deadline.ts';
import { type Mainnet, mainnetOf } from '../x402/networks.ts';
import type { Offer } from '../x402/offer.ts';
import type { Terms } from '../x402/terms.ts';

/** An offer under judgement, with what our own tables and clock add to it. */
export interface Candidate {
  readonly offer: Offer;
  readonly deadline: Deadline | null;
  readonly mainnet: Mainnet | null;
  readonly isUsdc: boolean;
  /** Lower is preferred: canonical USDC in the order of our networks, then everything else. */
  readonly rank: number;
}

export type TimelyCandidate = Candidate & { readonly deadline: Deadline };
export type SupportedCandidate = TimelyCandidate & { readonly mainnet: Mainnet };

export function candidateOf(offer: Offer, probedAt: Date, networks: readonly Mainnet[]): Candidate {
  const mainnet = mainnetOf(offer.network, networks);
  const isUsdc = mainnet !== null && isSameAddress(offer.asset, mainnet.usdc);
  const rank = isUsdc ? networks.indexOf(mainnet) : networks.length;
  return { offer, deadline: deadlineOf(offer, probedAt), mainnet, isUsdc, rank };
}

export function isTimely(candidate: Candidate): candidate is TimelyCandidate {
  return candidate.deadline !== null;
}

export function isSupported(candidate: TimelyCandidate): candidate is SupportedCandidate {
  return candidate.mainnet !== null;
}

/** The payment to sign: asset and network in canonical spelling, payee and amount as the seller asked. */
export function termsOf({ offer, deadline, mainnet }: SupportedCandidate): Terms {
  return {
    scheme: 'exact',
    network: mainnet.network,
    asset: mainnet.usdc,
    amountAtomic: microUsd(offer.amountAtomic), // USDC has six decimals on every supported network.
    payTo: offer.payTo,
    deadline: deadline.at,
    deadlineSource: deadline.source,
    maxTimeoutSeconds: offer.maxTimeoutSeconds ?? DEADLINE_DEFAULT_SECONDS,
  };
}

/**
 * Chooses among offers that got equally far, whatever their order (gap G35): canonical USDC first, then our order of
 * networks, then the lower amount, the later deadline, and finally the spelling.
 */
export function best<C extends Candidate>(candidates: NonEmpty<C>): C {
  return candidates.reduce((left, right) => (compare(left, right) <= 0 ? left : right));
}

function compare(left: Candidate, right: Candidate): number {
  return (
    order(left.rank, right.rank) ||
    order(left.offer.amountAtomic, right.offer.amountAtomic) ||
    order(end(right), end(left)) ||
    order(spelling(left.offer), spelling(right.offer))
  );
}

function end({ deadline }: Candidate): number {
  return deadline === null ? 0 : deadline.at.getTime();
}

function spelling({ scheme, network, asset, payTo }: Offer): string {
  return [scheme, network, asset, payTo].join('|');
}
