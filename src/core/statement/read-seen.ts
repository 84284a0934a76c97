import type { UsedInput } from '../input/listed-input.ts';
import { MISSING_NAMES_MAX } from '../input/missing-names.ts';
import { ACCEPTS_MAX_ENTRIES } from '../limits.ts';
import { isNonEmpty } from '../non-empty.ts';
import type { FreeTrial } from '../verdict/free-trial.ts';
import type { Refusal, Seen, SeenAnswer } from '../verdict/observation.ts';
import type { ProbeMethod, UnreachableCause } from '../verdict/probe-outcome.ts';
import type { Challenge, ChallengeFault } from '../x402/challenge.ts';
import type { Demand } from '../x402/demand.ts';
import type { Offer, Transfer } from '../x402/offer.ts';
import {
  amount,
  flag,
  hexHash,
  instantMs,
  listOf,
  membersOf,
  network,
  oneOf,
  optional,
  status,
  token,
  whole,
  wrong,
} from './read-values.ts';

const KINDS = ['answered', 'headers_too_large', 'timed_out', 'unreachable', 'blocked'] as const;
const CAUSES: readonly UnreachableCause[] = [
  'name_not_found',
  'name_lookup_failed',
  'connection_failed',
  'tls_failed',
  'not_http',
];
const FAULTS: readonly ChallengeFault[] = [
  'repeated_header',
  'bad_encoding',
  'bad_json',
  'bad_version',
  'ambiguous_json',
  'too_large',
  'no_entries',
  'no_readable_entry',
];
const TRANSFERS: readonly Transfer[] = ['too_long', 'other_method'];
const METHODS: readonly ProbeMethod[] = ['GET', 'POST'];

export function readSeen(value: unknown): Seen {
  const members = membersOf(value);
  const kind = oneOf(members('kind'), KINDS);
  if (kind === 'answered') return readAnswer(value);
  if (kind === 'unreachable') return { kind, cause: oneOf(members('cause'), CAUSES) };
  return { kind };
}

function readAnswer(value: unknown): SeenAnswer {
  const members = membersOf(value);
  const code = status(members('status'));
  const challenge = readChallenge(members('challenge'));
  // Only HTTP 402 asks for money; terms beside another status were never looked at.
  if (challenge.kind !== 'none' && code !== 402) return wrong('a challenge without a 402');
  return {
    kind: 'answered',
    status: code,
    challenge,
    freeTrial: optional(members('free_trial'), readTrial),
    evidence: {
      paymentRequiredSha256: optional(members('payment_required_sha256'), hexHash),
      bodySha256: optional(members('body_sha256'), hexHash),
    },
    refusal: optional(members('refusal'), readRefusal),
    input: optional(members('input'), readInput),
  };
}

function readTrial(value: unknown): FreeTrial {
  return { remaining: optional(membersOf(value)('remaining'), whole) };
}

function readRefusal(value: unknown): Refusal {
  const members = membersOf(value);
  return {
    allow: optional(members('allow'), (allow) =>
      listOf(allow, METHODS.length, (method) => oneOf(method, METHODS)),
    ),
    missing: optional(members('missing'), (names) => listOf(names, MISSING_NAMES_MAX, token)) ?? [],
  };
}

function readInput(value: unknown): UsedInput {
  const members = membersOf(value);
  const source = oneOf(members('source'), ['caller', 'listing_example', 'listing_schema']);
  return { source, sha256: hexHash(members('sha256')) };
}

function readChallenge(value: unknown): Challenge {
  if (value === undefined) return { kind: 'none' };
  const members = membersOf(value);
  if (members('fault') !== undefined) {
    return { kind: 'unreadable', fault: oneOf(members('fault'), FAULTS) };
  }
  const offers = listOf(members('offers'), ACCEPTS_MAX_ENTRIES, readOffer);
  if (!isNonEmpty(offers)) return wrong('no offer');
  return {
    kind: 'readable',
    source: oneOf(members('source'), ['header', 'body']),
    x402Version: optional(members('x402_version'), (version) => oneOf(version, [1, 2])),
    offers,
    bodyOffers: optional(members('body_offers'), (list) => listOf(list, ACCEPTS_MAX_ENTRIES, readOffer)),
    // Those of the header and those of the body.
    demands: optional(members('demands'), (list) => listOf(list, 2 * ACCEPTS_MAX_ENTRIES, readDemand)) ?? [],
    hasMoreEntries: flag(members('has_more_entries')),
  };
}

function readOffer(value: unknown): Offer {
  const members = membersOf(value);
  return {
    scheme: token(members('scheme')),
    network: optional(members('network'), network),
    asset: token(members('asset')),
    amountAtomic: amount(members('amount')),
    payTo: token(members('pay_to')),
    maxTimeoutSeconds: optional(members('max_timeout_seconds'), whole),
    validBeforeMs: optional(members('valid_before_ms'), instantMs),
    selfContradictory: flag(members('self_contradictory')),
    transfer: readTransfer(members('transfer')),
  };
}

function readDemand(value: unknown): Demand {
  const members = membersOf(value);
  return {
    chain: oneOf(members('chain'), ['evm', 'solana']),
    payTo: optional(members('pay_to'), token),
    network: optional(members('network'), network),
    asset: optional(members('asset'), token),
    amountAtomic: optional(members('amount'), amount),
    transfer: readTransfer(members('transfer')),
  };
}

function readTransfer(value: unknown): Transfer {
  return optional(value, (word) => oneOf(word, TRANSFERS)) ?? 'ordinary';
}
