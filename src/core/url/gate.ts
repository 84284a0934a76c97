import { isInternalName } from './host-name.ts';
import { isWebPort } from './port-policy.ts';
import type { AddressPolicy } from './public-address.ts';
import type { TargetUrl } from './target-url.ts';

export interface GatePolicy {
  readonly addresses: AddressPolicy;
  readonly ports: (port: number) => boolean;
  /** Names under which this service itself can be reached; it never checks itself. */
  readonly ownHosts: ReadonlySet<string>;
}

/** Which rule keeps a URL from being fetched; for counters and logs, callers only hear 'ssrf_blocked'. */
export type BlockRule = 'own_host' | 'internal_name' | 'address' | 'port';

/** Judges the URL itself, before any name is resolved. Null means that it may go on to the resolver. */
export function blockRule(target: TargetUrl, policy: GatePolicy): BlockRule | null {
  if (policy.ownHosts.has(target.host)) return 'own_host';
  if (target.hostKind === 'name' && isInternalName(target.host)) return 'internal_name';
  if (target.hostKind === 'address' && policy.addresses(target.host, target.port) !== 'public')
    return 'address';
  return policy.ports(target.port) ? null : 'port';
}

/** One rotten address spoils the answer: a public name with a private record is an attack or a mistake (gap G46). */
export function mayDial(resolved: readonly string[], port: number, policy: GatePolicy): boolean {
  return resolved.length > 0 && resolved.every((address) => policy.addresses(address, port) === 'public');
}

/** The policy of the running service. */
export function publicWeb({ addresses, ownHosts }: Pick<GatePolicy, 'addresses' | 'ownHosts'>): GatePolicy {
  return { addresses, ownHosts, ports: isWebPort };
}
