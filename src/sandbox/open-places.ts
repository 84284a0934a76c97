import type { Resolve } from '../adapters/probe/resolve.ts';
import type { GatePolicy } from '../core/url/gate.ts';
import { NO_OPT_OUTS } from '../core/url/opt-outs.ts';
import { canonicalAddress } from '../core/url/public-address.ts';

/** One port of one loopback address, such as `127.0.0.1:8080`. */
export interface Place {
  readonly address: string;
  readonly port: number;
}

const PORT_MAX = 65_535;

/** Only a literal address of 127.0.0.0/8: a name would need DNS and could resolve to anything. */
export function readPlace(text: string): Place | null {
  const [, address = '', port = ''] = /^(127\.[0-9.]{5,11}):([1-9][0-9]{0,4})$/.exec(text) ?? [];
  // Canonical spelling only: some parsers read '127.0.0.010' as 127.0.0.8.
  if (canonicalAddress(address) !== address || Number(port) > PORT_MAX) return null;
  return { address, port: Number(port) };
}

export function placeText({ address, port }: Place): string {
  return `${address}:${port}`;
}

export function placeOf(url: string): Place {
  const { hostname, port } = new URL(url);
  const place = readPlace(`${hostname}:${port === '' ? 80 : port}`);
  if (place === null) throw new Error(`${url} is not on loopback`);
  return place;
}

/**
 * Allows these addresses and ports and nothing else: not the sandbox itself, and nothing beyond this machine. Only the
 * sandbox's own entry passes this to a prober; no setting of the service leads to it.
 */
export function onlyPlaces(places: readonly Place[]): GatePolicy {
  const open = new Set(places.map(placeText));
  return {
    addresses: (address, port) => (open.has(placeText({ address, port })) ? 'public' : 'own'),
    // No name leads to a place of the sandbox.
    names: () => false,
    ports: () => true,
    ownHosts: new Set(),
    optOuts: NO_OPT_OUTS,
  };
}

/** The sandbox never sends DNS queries; the policy refuses a name without addresses. */
export const resolveNothing: Resolve = async () => ({ kind: 'addresses', addresses: [] });
