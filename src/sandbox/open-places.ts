import type { Resolve } from '../adapters/probe/resolve.ts';
import type { GatePolicy } from '../core/url/gate.ts';
import { canonicalAddress } from '../core/url/public-address.ts';

/** One port of one loopback address, such as `127.0.0.1:8080`. */
export interface Place {
  readonly address: string;
  readonly port: number;
}

const PORT_MAX = 65_535;

/** Only a plain address of 127.0.0.0/8: a name would have to be looked up, and might lead somewhere else. */
export function readPlace(text: string): Place | null {
  const [, address = '', port = ''] = /^(127\.[0-9.]{5,11}):([1-9][0-9]{0,4})$/.exec(text) ?? [];
  // One spelling: others read '127.0.0.010' as 127.0.0.8.
  if (canonicalAddress(address) !== address || Number(port) > PORT_MAX) return null;
  return { address, port: Number(port) };
}

export function placeText({ address, port }: Place): string {
  return `${address}:${port}`;
}

/** Where a server of the sandbox listens. */
export function placeOf(url: string): Place {
  const { hostname, port } = new URL(url);
  const place = readPlace(`${hostname}:${port === '' ? 80 : port}`);
  if (place === null) throw new Error(`${url} is not on loopback`);
  return place;
}

/**
 * The sandbox is allowed to knock at these doors and at no other: not at the port beside them, not at itself, and nowhere
 * outside of this machine. Only the sandbox's own entry can hand this to a prober; no setting of the service leads to it.
 */
export function onlyPlaces(places: readonly Place[]): GatePolicy {
  const open = new Set(places.map(placeText));
  return {
    addresses: (address, port) => (open.has(placeText({ address, port })) ? 'public' : 'own'),
    ports: () => true,
    ownHosts: new Set(),
  };
}

/** Names lead nowhere here, so that nobody is ever asked about one; a policy refuses a name without addresses. */
export const resolveNothing: Resolve = async () => ({ kind: 'addresses', addresses: [] });
