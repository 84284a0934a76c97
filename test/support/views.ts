import { seenIn } from '../../src/core/statement/seen.ts';
import type { View } from '../../src/core/vantage/view.ts';
import { observe } from '../../src/core/verdict/observation.ts';
import type { ProbeOutcome } from '../../src/core/verdict/probe-outcome.ts';
import { PROBED_AT } from './judging.ts';

/** A view whose signature nobody has looked at. */
export function viewOf(outcome: ProbeOutcome, at: Date = PROBED_AT): View {
  return {
    vantage: 'vantage.example/v1+00000000+AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    request: '0'.repeat(64),
    at,
    seen: seenIn(observe(outcome)),
    signature: `${'A'.repeat(86)}==`,
  };
}
