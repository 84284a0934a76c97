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
