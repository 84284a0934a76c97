import { isInternalName } from '../url/host-name.ts';
import { classifyAddress } from '../url/public-address.ts';
import type { TargetUrl } from '../url/target-url.ts';

/** A local server: no public address, or a name that no public server has. */
export function isLocalTarget({ host, hostKind }: TargetUrl): boolean {
  return hostKind === 'address' ? classifyAddress(host) !== 'public' : isInternalName(host);
}
