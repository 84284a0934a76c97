import type { TargetUrl } from '../core/url/target-url.ts';
import type { ProbeMethod, ProbeOutcome } from '../core/verdict/probe-outcome.ts';

export interface ProbeRequest {
  readonly target: TargetUrl;
  readonly method: ProbeMethod;
  /** JSON, only with POST; an empty object when it is left out. */
  readonly body?: string;
}

/** Sends one unpaid request. Whatever the target does comes back as a value; only our own faults throw. */
export interface Prober {
  probe(request: ProbeRequest): Promise<ProbeOutcome>;
}

/**
 * Probes of one host that share what its name led to and the connections to it, so that its name is asked once and every
 * address was checked, however long it is open.
 */
export interface HostProber extends Prober {
  /** Ends all its connections; nothing can be probed any more. */
  close(): void;
}

export type OpenHost = (host: string) => HostProber;
