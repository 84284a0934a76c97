import { ADDRESS_MINUTE_IN_HOST_MINUTES } from '../../core/limits.ts';
import type { TargetUrl } from '../../core/url/target-url.ts';
import type { ProbeStart } from '../../ports/check-writes.ts';
import type { Place } from '../../ports/prober.ts';
import { type Asker, type TargetBudget, targetBudget } from './target-budget.ts';
import { addressKeysOf, targetKeyOf } from './target-keys.ts';

export interface PlaceStartPorts {
  readonly now: () => Date;
  readonly newHolder: () => string;
  /** A keyed hash: no store holds a URL that could carry a secret. */
  readonly keyOf: (text: string) => string;
  readonly probesPerHostMinute: number;
}

interface WantedStart extends Pick<ProbeStart, 'key' | 'newerThan' | 'counters'> {
  readonly target: TargetUrl;
  readonly asker: Asker;
}

/** Limits hold for the host and port, and for every address that may be dialled (gap G101). */
export function startAt(
  place: Place,
  { target, key, newerThan, counters, asker }: WantedStart,
  { keyOf, now, newHolder, probesPerHostMinute: perMinute }: PlaceStartPorts,
): { readonly start: ProbeStart; readonly budget: TargetBudget } {
  const targetKey = targetKeyOf(target, keyOf);
  const addressKeys = addressKeysOf(place, keyOf);
  const ofAddress = { perMinute: perMinute * ADDRESS_MINUTE_IN_HOST_MINUTES };
  const budgeted = [
    { key: targetKey, perMinute },
    ...addressKeys.map((address) => ({ key: address, ...ofAddress })),
  ];
  const budget = targetBudget(budgeted, asker, now());
  const all = [...counters, ...budget.counters];
  return {
    budget,
    start: { targetKey, addressKeys, holder: newHolder(), key, newerThan, counters: all },
  };
}
