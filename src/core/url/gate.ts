import { isInternalName } from './host-name.ts';
import { NO_OPT_OUTS, type OptOuts } from './opt-outs.ts';
import type { AddressPolicy } from './public-address.ts';
import type { TargetUrl } from './target-url.ts';

export interface GatePolicy {
  readonly addresses: AddressPolicy;
  /** Names that may be resolved. */
  readonly names: (name: string) => boolean;
  readonly ports: (port: number) => boolean;
  /** Host names of this service; it never checks itself. */
  readonly ownHosts: ReadonlySet<string>;
  /** Nothing is sent to these, for any caller (gap G77). */
  readonly optOuts: OptOuts;
}

/** The rule that blocks a URL, for counters and logs. Callers only see 'ssrf_blocked'. */
export type BlockRule = 'own_host' | 'opted_out' | 'internal_name' | 'address' | 'port';

/** Judges the URL before its name is resolved. Null: the name may be resolved. */
export function blockRule(target: TargetUrl, policy: GatePolicy): BlockRule | null {
  if (policy.ownHosts.has(target.host)) return 'own_host';
  if (policy.optOuts.hasHost(target.host)) return 'opted_out';
  if (target.hostKind === 'name' && !policy.names(target.host)) return 'internal_name';
  if (target.hostKind === 'address' && policy.addresses(target.host, target.port) !== 'public')
    return 'address';
  return policy.ports(target.port) ? null : 'port';
}

/** One private address blocks the whole name: a public name with a private record is an attack or a mistake (gap G46). */
export function mayDial(
  resolved: readonly string[],
  port: number,
  { addresses, optOuts }: GatePolicy,
): boolean {
  const isOpen = (address: string) => addresses(address, port) === 'public' && !optOuts.hasAddress(address);
  return resolved.length > 0 && resolved.every(isOpen);
}

/** The policy of the running service. */
export function publicWeb({
  addresses,
  ownHosts,
  optOuts = NO_OPT_OUTS,
}: Pick<GatePolicy, 'addresses' | 'ownHosts'> & Partial<Pick<GatePolicy, 'optOuts'>>): GatePolicy {
  return { addresses, ownHosts, optOuts, names: (name) => !isInternalName(name), ports: isWebPort };
}

/**
 * The address rules are the protection; the port rules keep the prober away from mail servers and databases. Sellers do
 * use high ports, so everything above 1023 is open except well-known services.
 */
function isWebPort(port: number): boolean {
  if (port === 80 || port === 443) return true;
  return port >= 1024 && !FETCH_BAD_PORTS.has(port) && !OTHER_SERVICES.has(port);
}

/** The ports above 1023 that the fetch standard refuses. */
const FETCH_BAD_PORTS: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10_080,
]);

/** Databases, queues, remote desktops and orchestration interfaces. */
const OTHER_SERVICES: ReadonlySet<number> = new Set([
  1433, 1521, 2375, 2376, 2379, 2380, 3306, 3389, 5432, 5672, 5900, 5984, 6379, 6443, 8500, 9042, 9092, 9200,
  9300, 10_250, 11_211, 15_672, 27_017, 50_070,
]);
