import { hostInPath } from '../../core/url/host-in-path.ts';
import { addressKey } from '../../core/x402/address.ts';

/** The page of a host, without its port; null for text that is no host. */
export function hostHref(host: string): string | null {
  return hostInPath(host) === host ? `/hosts/${encodeURIComponent(host)}` : null;
}

/** The page of a payee; null for text that is no address. */
export function payeeHref(address: string): string | null {
  return addressKey(address) === null ? null : `/payees/${encodeURIComponent(address)}`;
}
