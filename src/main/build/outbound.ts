import { createHostProber } from '../../adapters/probe/create-host-prober.ts';
import { createProber } from '../../adapters/probe/create-prober.ts';
import { type Dial, dialDirectly } from '../../adapters/probe/dial.ts';
import { createProofSource, dnsTextResolver, type ResolveText } from '../../adapters/probe/proof-source.ts';
import { dnsResolver, type Resolve } from '../../adapters/probe/resolve.ts';
import { createSendWebhook } from '../../adapters/probe/send-webhook.ts';
import { CRAWL_TIMEOUT_MS } from '../../core/limits.ts';
import { type GatePolicy, publicWeb } from '../../core/url/gate.ts';
import { optOutsOf } from '../../core/url/opt-outs.ts';
import { publicAddresses } from '../../core/url/public-address.ts';
import type { LocatingProber, OpenHost } from '../../ports/prober.ts';
import type { ProofSource, SendWebhook } from '../../ports/seller.ts';

/** Outbound requests and their allowed targets. */
export interface Outbound {
  readonly policy: GatePolicy;
  readonly resolve: Resolve;
  readonly resolveText: ResolveText;
  readonly dial: Dial;
  readonly userAgent: string;
  readonly prober: LocatingProber;
  /** For a caller that holds a host for a while, such as the crawl. */
  readonly openHost: OpenHost;
  readonly proofs: ProofSource;
  readonly sendWebhook: SendWebhook;
}

export interface OutboundOptions {
  readonly ownAddresses: readonly string[];
  readonly blockedHosts: readonly string[];
  readonly baseUrl: string;
  readonly altUrl: string | null;
  readonly legacyUrl: string | null;
  readonly version: string;
  /** The first word of the user agent. */
  readonly agent?: string;
}

/** The public web and nothing else, whatever the settings say. */
export function createPublicOutbound(options: OutboundOptions): Outbound {
  const policy = publicWeb({
    addresses: publicAddresses(options.ownAddresses),
    ownHosts: new Set(ownHosts(options)),
    optOuts: optOutsOf(options.blockedHosts),
  });
  return createOutbound({
    policy,
    resolve: dnsResolver(),
    resolveText: dnsTextResolver(),
    dial: dialDirectly,
    userAgent: `${options.agent ?? 'Assay-Prober'}/${options.version} (+${options.baseUrl}/prober)`,
  });
}

export function createOutbound(
  way: Omit<Outbound, 'prober' | 'openHost' | 'proofs' | 'sendWebhook'>,
): Outbound {
  const parts = { ...way, timeoutMs: CRAWL_TIMEOUT_MS };
  return {
    ...way,
    prober: createProber(parts),
    openHost: createHostProber(parts),
    proofs: createProofSource(parts),
    sendWebhook: createSendWebhook(parts),
  };
}

/** Our own host names: the service never checks itself. */
function ownHosts({ baseUrl, altUrl, legacyUrl }: OutboundOptions): string[] {
  const addresses = [baseUrl, altUrl, legacyUrl].filter((address) => address !== null);
  return addresses.map((address) => new URL(address).hostname.replace(/^\[|\]$/g, ''));
}
