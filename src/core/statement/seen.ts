import type { Observation, Seen } from '../verdict/observation.ts';

/** Without the diagnostics, which explain a verdict and decide nothing. */
export function seenIn(observation: Observation): Seen {
  if (observation.kind !== 'answered') return observation;
  const { kind, status, challenge, freeTrial, evidence, refusal, input } = observation;
  return { kind, status, challenge, freeTrial, evidence, refusal, input };
}
