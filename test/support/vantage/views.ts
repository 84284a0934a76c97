import { seenIn } from '../../../src/core/statement/seen.ts';
import type { View } from '../../../src/core/vantage/view.ts';
import { observe } from '../../../src/core/verdict/observation.ts';
import type { ProbeOutcome } from '../../../src/core/verdict/probe-outcome.ts';
import { PROBED_AT } from '../judging.ts';

/** A view of the n-th vantage, whose signature nobody has looked at. */
export function viewOf(outcome: ProbeOutcome, at: Date = PROBED_AT, n = 0): View {
  return {
    vantage: vantageOf(n),
    request: '0'.repeat(64),
    at,
    seen: seenIn(observe(outcome)),
    signature: `${'A'.repeat(86)}==`,
  };
}

export function vantageOf(n: number): string {
  return `vantage.example/v${n}+00000000+AQ${'A'.repeat(41)}${n}`;
}
