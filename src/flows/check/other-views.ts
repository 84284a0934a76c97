import type { View, Views } from '../../core/vantage/view.ts';
import { expectationFor } from '../../core/verdict/expectation.ts';
import { judge } from '../../core/verdict/judge.ts';
import type { Verdict } from '../../core/verdict/verdict.ts';
import type { Vantages } from '../../ports/vantages.ts';
import type { Answered } from './ask-twice.ts';
import type { CheckRequest } from './check-request.ts';
import type { Known } from './read-known.ts';

interface OthersParts {
  readonly vantages?: Vantages | undefined;
}

/** A dry run approves nothing, so that nobody has to agree with it. */
export function needsOthers(verdict: Verdict, { mode }: CheckRequest, { vantages }: OthersParts): boolean {
  if (vantages === undefined || mode !== 'live' || verdict.verdict !== 'pay') return false;
  return verdict.terms.amountAtomic >= vantages.fromPrice;
}

/**
 * Where others are asked with the probe. An expected price below the one that needs them is the only one that can be approved, so
 * that nobody has to be asked.
 */
export function othersFor(
  request: CheckRequest,
  { claims }: Known,
  parts: OthersParts,
): { needsOthers?: (answer: Answered) => boolean } {
  const { vantages } = parts;
  if (vantages === undefined || request.mode !== 'live') return {};
  const prices = claims.request.price === null ? [...claims.listed, ...claims.catalog] : [claims.request];
  const isAlwaysLower =
    prices.length > 0 && prices.every(({ price }) => price !== null && price < vantages.fromPrice);
  if (isAlwaysLower) return {};
  return {
    needsOthers: ({ observation, probedAt }) => {
      const { expected } = expectationFor(claims, observation);
      return needsOthers(judge(observation, expected, probedAt).verdict, request, parts);
    },
  };
}

/** Too few to tell: a vantage that was away for a moment must not keep a seller unpaid for as long as a probe is reused. */
export function areTooFew(stored: readonly View[] | undefined, { vantages }: OthersParts): boolean {
  if (vantages === undefined) return false;
  return (stored ?? []).filter(({ vantage }) => vantages.has(vantage)).length < vantages.needed;
}

/** Nobody who should have been asked is nobody who agrees. */
export function viewsFor(
  own: Verdict,
  stored: readonly View[] | undefined,
  request: CheckRequest,
  parts: OthersParts,
): Views | null {
  const { vantages } = parts;
  if (vantages === undefined) return null;
  if (stored !== undefined) {
    return { needed: vantages.needed, views: stored.filter(({ vantage }) => vantages.has(vantage)) };
  }
  return needsOthers(own, request, parts) ? { needed: vantages.needed, views: [] } : null;
}
