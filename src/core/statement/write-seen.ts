import type { Refusal, Seen, SeenAnswer } from '../verdict/observation.ts';
import type { Challenge } from '../x402/challenge.ts';
import type { Demand } from '../x402/demand.ts';
import type { Offer, Transfer } from '../x402/offer.ts';

/** In the order of the names, as in the rest of a statement. */
export function seenMembers(seen: Seen) {
  if (seen.kind === 'answered') return answerMembers(seen);
  return { cause: seen.kind === 'unreachable' ? seen.cause : undefined, kind: seen.kind };
}

function answerMembers({ kind, status, challenge, freeTrial, evidence, refusal, input }: SeenAnswer) {
  return {
    body_sha256: evidence.bodySha256 ?? undefined,
    challenge: challengeMembers(challenge),
    free_trial: freeTrial === null ? undefined : { remaining: freeTrial.remaining ?? undefined },
    input: input === null ? undefined : { sha256: input.sha256, source: input.source },
    kind,
    payment_required_sha256: evidence.paymentRequiredSha256 ?? undefined,
    refusal: refusal === null ? undefined : refusalMembers(refusal),
    status,
  };
}

function refusalMembers({ allow, missing }: Refusal) {
  return { allow: allow ?? undefined, missing: missing.length === 0 ? undefined : missing };
}

function challengeMembers(challenge: Challenge) {
  switch (challenge.kind) {
    case 'none':
      return undefined;
    case 'unreadable':
      return { fault: challenge.fault };
    case 'readable': {
      const { bodyOffers, demands, hasMoreEntries, offers, source, x402Version } = challenge;
      return {
        body_offers: bodyOffers?.map(offerMembers),
        demands: demands.length === 0 ? undefined : demands.map(demandMembers),
        has_more_entries: hasMoreEntries || undefined,
        offers: offers.map(offerMembers),
        source,
        x402_version: x402Version ?? undefined,
      };
    }
  }
}

function offerMembers(offer: Offer) {
  return {
    amount: offer.amountAtomic.toString(),
    asset: offer.asset,
    max_timeout_seconds: offer.maxTimeoutSeconds ?? undefined,
    network: offer.network ?? undefined,
    pay_to: offer.payTo,
    scheme: offer.scheme,
    self_contradictory: offer.selfContradictory || undefined,
    transfer: transferMember(offer.transfer),
    valid_before_ms: offer.validBeforeMs ?? undefined,
  };
}

function demandMembers(demand: Demand) {
  return {
    amount: demand.amountAtomic?.toString(),
    asset: demand.asset ?? undefined,
    chain: demand.chain,
    network: demand.network ?? undefined,
    pay_to: demand.payTo ?? undefined,
    transfer: transferMember(demand.transfer),
  };
}

function transferMember(transfer: Transfer) {
  return transfer === 'ordinary' ? undefined : transfer;
}
