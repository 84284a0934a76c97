import type { TargetUrl } from '../core/url/target-url.ts';
import type { ProbeMethod, ProbeOutcome } from '../core/verdict/probe-outcome.ts';

export interface ProbeRequest {
  readonly target: TargetUrl;
  readonly method: ProbeMethod;
  /** JSON, only with POST; an empty object by default. */
  readonly body?: string;
}

/** Sends one unpaid request. Everything the target does is a value; only our own faults throw. */
export interface Prober {
  probe(request: ProbeRequest): Promise<ProbeOutcome>;
}

/**
 * Probes of one host that share its resolved addresses and connections: the name is resolved once, and every address is
 * checked.
 */
export interface HostProber extends Prober {
  /** Closes all connections; nothing can be probed afterwards. */
  close(): void;
}

export type OpenHost = (host: string) => HostProber;
