import { DRY_RUNS_PER_DAY, FREE_LOOKUPS_PER_DAY, FREE_SPOT_CHECKS_PER_DAY } from '../limits.ts';
import { addressKey, type Caller, callerKey, dryRunKey, wideKey } from './caller-key.ts';
import { WIDE_FACTOR } from './networks.ts';
import { utcDay, utcHour } from './utc-window.ts';

/** What has a daily free quota. */
export type Metered = 'lookup' | 'spot_check' | 'dry_run';

/** A number in the counter store. It is incremented atomically, while it is below its limit. */
export interface Counter {
  readonly key: string;
  readonly window: string;
  readonly limit: number;
  /** Counts all names of an address, in the same row as the count of its own key. */
  readonly together?: true;
}

/** A use is granted when all counters can be incremented; only the caller's own is ever given back (gap G06). */
export interface FreeUse {
  readonly metered: Metered;
  readonly caller: Counter;
  readonly address: Counter;
  /** The caller's, the address's and, for IPv6, that of its /48 (gap G102). */
  readonly counters: readonly [Counter, ...Counter[]];
}

/** Limits per address; the operator may change them. */
export interface AddressCeilings {
  readonly lookup: number;
  readonly spot_check: number;
  readonly dry_run: number;
}

export const FREE_PER_DAY: Readonly<Record<Metered, number>> = {
  lookup: FREE_LOOKUPS_PER_DAY,
  spot_check: FREE_SPOT_CHECKS_PER_DAY,
  dry_run: DRY_RUNS_PER_DAY,
};

export interface FreeUseRequest {
  readonly metered: Metered;
  readonly caller: Caller;
  readonly ref: string | null;
  readonly now: Date;
}

export function freeUse(
  { metered, caller, ref, now }: FreeUseRequest,
  { secret, ceilings }: { readonly secret: string; readonly ceilings: AddressCeilings },
): FreeUse {
  const window = utcDay(now);
  const all = addressKey(caller.address, secret);
  const own = ownKey({ metered, caller, ref, now }, all, secret);
  // A caller without a name has the key of its address, so both counters share one row and most writes are half as large. Both
  // use the same string object, which makes comparing them cheap.
  const key = `${all}:${metered}`;
  const counter = { key: own === all ? key : `${own}:${metered}`, window, limit: FREE_PER_DAY[metered] };
  const limit = ceilings[metered];
  const address: Counter = { key, window, limit, together: true };
  const wide = wideCounters(caller.address, metered, { window, limit }, secret);
  return { metered, caller: counter, address, counters: [counter, address, ...wide] };
}

/** An hourly limit of one address and, for IPv6, of its /48. */
export function addressCounters(
  address: string,
  what: string,
  { window, limit }: Pick<Counter, 'window' | 'limit'>,
  secret: string,
): readonly Counter[] {
  const own = { key: `${what}:${addressKey(address, secret)}`, window, limit };
  return [own, ...wideCounters(address, what, { window, limit }, secret)];
}

/** One for IPv6, none for IPv4. */
function wideCounters(
  address: string,
  what: string,
  { window, limit }: Pick<Counter, 'window' | 'limit'>,
  secret: string,
): readonly Counter[] {
  const key = wideKey(address, secret);
  return key === null ? [] : [{ key: `${key}:${what}`, window, limit: limit * WIDE_FACTOR }];
}

function ownKey({ metered, caller, ref }: FreeUseRequest, all: string, secret: string): string {
  const isNamed = caller.client !== null || (metered === 'dry_run' && ref !== null);
  // The same hash as that of the address: computed once.
  if (!isNamed) return all;
  return metered === 'dry_run' ? dryRunKey(caller, ref, secret) : callerKey(caller, secret);
}

/** Paid checks count for the verified payer, never for one that was only named (gap G08). */
export function paidCheckCounter(verifiedPayer: string, now: Date, perHour: number): Counter {
  return { key: `paid_check:${verifiedPayer.toLowerCase()}`, window: utcHour(now), limit: perHour };
}
