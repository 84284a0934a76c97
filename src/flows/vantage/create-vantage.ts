import type { Counter } from '../../core/access/quota.ts';
import { secondsToNextUtcMinute, utcMinute } from '../../core/access/utc-window.ts';
import { createKeyedSlots, type KeyedSlots } from '../../core/concurrency/keyed-slots.ts';
import { usedInput } from '../../core/input/used-input.ts';
import {
  ADDRESS_MINUTE_IN_HOST_MINUTES,
  PROBES_IN_FLIGHT_PER_HOST,
  PROBES_PER_HOST_MINUTE,
} from '../../core/limits.ts';
import type { NoteSigner } from '../../core/log/note.ts';
import { seenIn } from '../../core/statement/seen.ts';
import { signObservation } from '../../core/vantage/messages.ts';
import { observe } from '../../core/verdict/observation.ts';
import type { LocatingProber, Place } from '../../ports/prober.ts';
import { type AddressSlots, createAddressSlots } from '../check/own-slots.ts';
import { targetBudget } from '../check/target-budget.ts';
import { groupsOf, targetOf } from '../check/target-keys.ts';
import { type AdmitFault, type AdmitParts, type AdmittedRequest, admitRequest } from './admit-request.ts';
import { createMinuteCounts, type MinuteCounts } from './minute-counts.ts';
import { createSeenNonces } from './seen-nonces.ts';

export interface VantageParts extends Pick<AdmitParts, 'clients' | 'now'> {
  readonly signer: NoteSigner;
  readonly prober: LocatingProber;
  readonly stopwatch: () => number;
}

export type VantageAnswer =
  | { readonly kind: 'observed'; readonly note: string }
  | { readonly kind: AdmitFault | 'too_large' }
  | { readonly kind: 'busy'; readonly retryAfterSeconds: number };

export interface Vantage {
  /** The answer to the note of a request. Nothing is sent to a target unless all limits hold. */
  answer(note: string): Promise<VantageAnswer>;
}

const CLIENT_PER_MINUTE = 600;
const IN_FLIGHT = { perClient: 100, total: 200 } as const;

/** Looks at endpoints for the clients it knows, and signs what it saw. Keeps nothing but counts and nonces. */
export function createVantage({ signer, clients, now, prober, stopwatch }: VantageParts): Vantage {
  const admitting = { name: signer.key.name, clients, now, nonces: createSeenNonces(stopwatch) };
  const limits: Limits = {
    clients: createKeyedSlots({ perKey: IN_FLIGHT.perClient, total: IN_FLIGHT.total }),
    hosts: createKeyedSlots({ perKey: PROBES_IN_FLIGHT_PER_HOST }),
    addresses: createAddressSlots(PROBES_IN_FLIGHT_PER_HOST * ADDRESS_MINUTE_IN_HOST_MINUTES),
    counts: createMinuteCounts(),
  };
  return {
    async answer(note) {
      const admitted = admitRequest(note, admitting);
      if (typeof admitted === 'string') return { kind: admitted };
      return inSlots(admitted, { limits, now, prober }, (place) =>
        observePlace(admitted, place, { signer, now, prober }),
      );
    },
  };
}

interface Limits {
  readonly clients: KeyedSlots;
  readonly hosts: KeyedSlots;
  readonly addresses: AddressSlots;
  readonly counts: MinuteCounts;
}

interface LimitParts extends Pick<VantageParts, 'now' | 'prober'> {
  readonly limits: Limits;
}

const BUSY: VantageAnswer = { kind: 'busy', retryAfterSeconds: 1 };

/** The name is resolved within the limits of the client and the host: resolving is a request, too. */
async function inSlots(
  { client, target }: AdmittedRequest,
  { limits, now, prober }: LimitParts,
  work: (place: Place) => Promise<VantageAnswer>,
): Promise<VantageAnswer> {
  const releaseClient = limits.clients.take(client);
  if (releaseClient === null) return BUSY;
  const releaseHost = limits.hosts.take(targetOf(target));
  try {
    if (releaseHost === null) return BUSY;
    if (!limits.counts.reserve(hostCounters(client, targetOf(target), now()))) return untilNextMinute(now());
    const place = await prober.locate(target);
    const groups = groupsOf(place);
    const releaseAddresses = limits.addresses.take(groups, null);
    if (releaseAddresses === null) return BUSY;
    try {
      if (!limits.counts.reserve(addressCounters(groups, now()))) return untilNextMinute(now());
      return await work(place);
    } finally {
      releaseAddresses();
    }
  } finally {
    releaseHost?.();
    releaseClient();
  }
}

/** No client has a share: there are few, and the operator knows them. */
const ALL_OF_IT = { by: null, mayUseReserve: true };

function hostCounters(client: string, host: string, now: Date): readonly Counter[] {
  const ofClient = { key: `client:${client}`, window: utcMinute(now), limit: CLIENT_PER_MINUTE };
  const perMinute = PROBES_PER_HOST_MINUTE;
  return [ofClient, ...targetBudget([{ key: host, perMinute }], ALL_OF_IT, now).counters];
}

function addressCounters(groups: readonly string[], now: Date): readonly Counter[] {
  const perMinute = PROBES_PER_HOST_MINUTE * ADDRESS_MINUTE_IN_HOST_MINUTES;
  const budgeted = groups.map((group) => ({ key: `address ${group}`, perMinute }));
  return targetBudget(budgeted, ALL_OF_IT, now).counters;
}

function untilNextMinute(now: Date): VantageAnswer {
  return { kind: 'busy', retryAfterSeconds: secondsToNextUtcMinute(now) };
}

async function observePlace(
  { request: { method, body }, hash, target }: AdmittedRequest,
  place: Place,
  { signer, now, prober }: Pick<VantageParts, 'signer' | 'now' | 'prober'>,
): Promise<VantageAnswer> {
  const sent = { target, method };
  const outcome = await prober.probe(body === null ? sent : { ...sent, body }, place);
  const at = now();
  // For a vantage, all input is that of its caller.
  const input = usedInput({ kind: 'request', ...sent, body, source: body === null ? null : 'caller' });
  const seen = seenIn(observe(outcome, at, input));
  const note = signObservation({ at, request: hash, seen }, signer);
  return note === null ? { kind: 'too_large' } : { kind: 'observed', note };
}
