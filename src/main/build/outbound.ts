import { createHostProber } from '../../adapters/probe/create-host-prober.ts';
import { createProber } from '../../adapters/probe/create-prober.ts';
import { type Dial, dialDirectly } from '../../adapters/probe/dial.ts';
import { dnsResolver, type Resolve } from '../../adapters/probe/resolve.ts';
import { CRAWL_TIMEOUT_MS } from '../../core/limits.ts';
import { type GatePolicy, publicWeb } from '../../core/url/gate.ts';
import { publicAddresses } from '../../core/url/public-address.ts';
import type { OpenHost, Prober } from '../../ports/prober.ts';

/** How sellers are reached, and which of them may be. */
export interface Reach {
  readonly policy: GatePolicy;
  readonly resolve: Resolve;
  readonly dial: Dial;
  readonly userAgent: string;
  readonly prober: Prober;
  /** For whoever has a host to itself for a while. */
  readonly openHost: OpenHost;
}

export interface ReachOptions {
  readonly ownAddresses: readonly string[];
  readonly baseUrl: string;
  readonly altUrl: string | null;
  readonly legacyUrl: string | null;
  readonly version: string;
}

/** The public web and nothing else, whatever the settings say. */
export function reachPublicWeb(options: ReachOptions): Reach {
  const policy = publicWeb({
    addresses: publicAddresses(options.ownAddresses),
    ownHosts: new Set(ownHosts(options)),
  });
  return reachBy({
    policy,
    resolve: dnsResolver(),
    dial: dialDirectly,
    userAgent: `Assay-Prober/${options.version} (+${options.baseUrl}/prober)`,
  });
}

export function reachBy(way: Omit<Reach, 'prober' | 'openHost'>): Reach {
  const parts = { ...way, timeoutMs: CRAWL_TIMEOUT_MS };
  return { ...way, prober: createProber(parts), openHost: createHostProber(parts) };
}

/** The names under which this service itself is reached; it never checks itself. */
function ownHosts({ baseUrl, altUrl, legacyUrl }: ReachOptions): string[] {
  const addresses = [baseUrl, altUrl, legacyUrl].filter((address) => address !== null);
  return addresses.map((address) => new URL(address).hostname.replace(/^\[|\]$/g, ''));
}
