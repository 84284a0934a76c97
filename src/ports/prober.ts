import type { TargetUrl } from '../core/url/target-url.ts';
import type { ProbeMethod, ProbeOutcome } from '../core/verdict/probe-outcome.ts';

export interface ProbeRequest {
  readonly target: TargetUrl;
  readonly method: ProbeMethod;
  /** JSON, only with POST; an empty object by default. */
  readonly body?: string;
  /** On a connection of its own, so that it is sent once: a reused one may be gone, and then a request is repeated. */
  readonly isOnce?: boolean;
}

/** Where a target can be dialled, or how its probe ends if it cannot be located. Every address has been checked. */
export type Place =
  | {
      readonly kind: 'located';
      readonly host: string;
      readonly addresses: readonly string[];
      /** What is left of the probe's time. */
      readonly leftMs: number;
    }
  | { readonly kind: 'nowhere'; readonly outcome: ProbeOutcome };

/** Sends one unpaid request. Everything the target does is a value; only our own faults throw. */
export interface Prober {
  /** Without a place, the target is located first. */
  probe(request: ProbeRequest, place?: Place): Promise<ProbeOutcome>;
}

/** Resolves the name of a target before anything is sent, so that limits can hold for its addresses (gap G101). */
export interface LocatingProber extends Prober {
  locate(target: TargetUrl): Promise<Place>;
}

/**
 * Probes of one host that share its resolved addresses and connections: the name is resolved once, and every address is
 * checked.
 */
export interface HostProber extends LocatingProber {
  /** Closes all connections; nothing can be probed afterwards. */
  close(): void;
}

export type OpenHost = (host: string) => HostProber;
