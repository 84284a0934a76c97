import ipaddr from 'ipaddr.js';
import { canonicalAddress } from './public-address.ts';
import { parseTargetUrl } from './target-url.ts';

/** Hosts and addresses whose operators do not want to be probed (gap G77). */
export interface OptOuts {
  /** The host of a URL: a name, or an address as it is written there. */
  hasHost(host: string): boolean;
  hasAddress(address: string): boolean;
}

export const NO_OPT_OUTS: OptOuts = { hasHost: () => false, hasAddress: () => false };

/** From host names, addresses and networks in CIDR form. */
export function optOutsOf(entries: readonly string[]): OptOuts {
  const hosts = new Set(entries);
  const networks = entries.map(networkOf).filter((network) => network !== null);
  const hasAddress = (address: string) => {
    const canonical = canonicalAddress(address);
    if (canonical === null) return false;
    const parsed = ipaddr.parse(canonical);
    return networks.some(
      ([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits),
    );
  };
  return { hasHost: (host) => hosts.has(host) || hasAddress(host), hasAddress };
}

/** True for an entry of the setting. */
export function isOptOut(entry: string): boolean {
  if (networkOf(entry) !== null) return true;
  const reading = parseTargetUrl(`http://${entry}/`);
  return reading.kind === 'target' && reading.target.host === entry;
}

function networkOf(entry: string): readonly [ipaddr.IPv4 | ipaddr.IPv6, number] | null {
  const [address = '', bits] = entry.split('/');
  const canonical = canonicalAddress(address);
  if (canonical === null) return null;
  const parsed = ipaddr.parse(canonical);
  const most = parsed.kind() === 'ipv4' ? 32 : 128;
  if (bits === undefined) return [parsed, most];
  const isNumber = /^[0-9]{1,3}$/.test(bits) && Number(bits) <= most && entry === `${address}/${bits}`;
  return isNumber ? [parsed, Number(bits)] : null;
}
