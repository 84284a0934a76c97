import { addressGroups } from '../../core/url/address-group.ts';
import type { TargetUrl } from '../../core/url/target-url.ts';
import type { Place } from '../../ports/prober.ts';

/** A keyed hash: no store holds a URL that could carry a secret. */
type KeyOf = (text: string) => string;

export function targetOf({ host, port }: TargetUrl): string {
  return `${host}:${port}`;
}

export function groupsOf(place: Place): readonly string[] {
  return place.kind === 'located' ? addressGroups(place.addresses) : [];
}

/** Checks and the crawl share slots by these keys, and the minute of a target is counted by them. */
export function targetKeyOf(target: TargetUrl, keyOf: KeyOf): string {
  return keyOf(targetOf(target));
}

/** The same for the addresses of a target (gap G101). */
export function addressKeysOf(place: Place, keyOf: KeyOf): readonly string[] {
  return groupsOf(place).map((group) => keyOf(`address ${group}`));
}
