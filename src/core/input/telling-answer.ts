import { isServed, type Observation, type ObservedAnswer } from '../verdict/observation.ts';
import type { UsedInput } from './listed-input.ts';

/** With these an endpoint asks for other input. */
export const WANTS_INPUT: ReadonlySet<number> = new Set([400, 411, 415, 422]);

/**
 * The answer that counts after a request with input. One that neither asks for payment nor serves nor wants other input says more
 * about our input than about the endpoint, and the first answer stays: a made-up name may be a 404 anywhere.
 */
export function tellingAnswer(
  first: ObservedAnswer,
  again: Observation,
  input: UsedInput | null,
): Observation {
  if (again.kind === 'answered') {
    if (again.status === 402 || isServed(again) || WANTS_INPUT.has(again.status)) return again;
  }
  return { ...first, input };
}

/** The same for a request as other rows have it: only what asks for payment, or for input, tells more than the first. */
export function tellingOther(first: ObservedAnswer, again: Observation): Observation {
  if (again.kind !== 'answered') return first;
  return again.status === 402 || (WANTS_INPUT.has(again.status) && !WANTS_INPUT.has(first.status))
    ? again
    : first;
}
