import { keyedHash } from '../keyed-hash.ts';
import { networksOf } from './networks.ts';

/** Who is asking, as far as quotas are concerned. Names are already lower-case. */
export interface Caller {
  readonly address: string;
  readonly client: string | null;
}

/**
 * A name alone identifies nobody (gap G01): it can neither multiply a caller's quota nor burn somebody else's.
 * Keys are keyed hashes, so that the store never holds an address. A caller without a name gets the key of its address.
 */
export function callerKey({ address, client }: Caller, secret: string): string {
  if (client === null) return addressKey(address, secret);
  return keyedHash(['caller', networkPrefix(address), client], secret);
}

/** All names of one address together (gap G02). */
export function addressKey(address: string, secret: string): string {
  return keyedHash(['address', networkPrefix(address)], secret);
}

/** Who presents a payment (gap G97): never the same text as another key, so that purchases and quotas cannot be joined. */
export function presenterKey(address: string, secret: string): string {
  return keyedHash(['presenter', networkPrefix(address)], secret);
}

/** Dry runs count by ref, else by client, else by address, as the interface says (gap G09). */
export function dryRunKey({ address, client }: Caller, ref: string | null, secret: string): string {
  if (ref !== null) return keyedHash(['dry-run', 'ref', ref], secret);
  if (client !== null) return keyedHash(['dry-run', 'client', client], secret);
  return addressKey(address, secret);
}

/** All addresses of one IPv6 /48 together; null for IPv4 (gap G102). */
export function wideKey(address: string, secret: string): string | null {
  const { wide } = networksOf(address);
  return wide === null ? null : keyedHash(['wide', wide], secret);
}

export function networkPrefix(address: string): string {
  return networksOf(address).prefix;
}
