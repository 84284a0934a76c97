import type { TargetUrl } from '../../core/url/target-url.ts';
import type { Claim } from '../../core/verdict/expected-terms.ts';
import type { ProbeMethod } from '../../core/verdict/probe-outcome.ts';

export interface CheckRequest {
  readonly target: TargetUrl;
  readonly method: ProbeMethod;
  readonly mode: 'live' | 'dry-run';
  readonly claim: Claim;
  readonly ref: string | null;
  readonly task: string | null;
  readonly selfTest: boolean;
  /** A JSON object for the body of a POST, sent only to a listed URL that wants input (gap G100). */
  readonly input?: string;
  /** A keyed hash of the caller's network prefix; absent for the operator and on the command line. */
  readonly askedBy?: string;
}
