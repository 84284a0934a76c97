import type { BlockRule } from '../../core/url/gate.ts';

/** Why nothing was sent to a target, in classes of our own: for the operator's numbers, callers hear less. */
export type Refused =
  | `url_${BlockRule}`
  /** An address that the name leads to, or a hop. */
  | 'url_resolved'
  /** No free slot: of the target, of an address or in all; or too many callers wait for one probe. */
  | 'target_places'
  | 'target_budget'
  /** One caller has had its part of the target's minute. */
  | 'caller_share'
  | 'caller_budget';

export interface RefusalParts {
  readonly onRefused?: ((refused: Refused) => void) | undefined;
}
