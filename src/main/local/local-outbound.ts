import type { LocalOutbound } from '../../cli/command-context.ts';
import { createOutbound, createPublicOutbound } from '../build/outbound.ts';
import { packageVersion } from '../build/runtime.ts';

/** The public web and nothing else, as for the service; no option leads past it. */
export function createLocalOutbound(baseUrl: string): LocalOutbound {
  const version = packageVersion();
  const own = { ownAddresses: [], blockedHosts: [], altUrl: null, legacyUrl: null, baseUrl, version };
  // A person's check has no page that describes the prober, so the user agent names no address.
  return createOutbound({ ...createPublicOutbound(own), userAgent: `Assay-CLI/${version}` });
}
