import type { MicroUsd } from '../core/money/micro-usd.ts';
import type { View } from '../core/vantage/view.ts';
import type { ProbeRequest } from './prober.ts';

/** Other operators' points of view on the same endpoint. */
export interface Vantages {
  /** How many must agree before a payment is approved; at least 1. */
  readonly needed: number;
  /** Whether this verifier key is one of theirs: what others signed for an earlier configuration does not count. */
  has(vantage: string): boolean;
  /** The lowest price whose approval needs them. */
  readonly fromPrice: MicroUsd;
  /**
   * Asks all of them at the same time, each once. Resolves with the views that came in time and are signed, bound to this
   * request and fresh, in the order of the configuration; whatever else happens is a view less. Never rejects. Ends early when it is aborted.
   */
  ask(request: ProbeRequest, signal?: AbortSignal): Promise<readonly View[]>;
}
