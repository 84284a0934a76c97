import { type Challenge, readChallenge } from '../x402/challenge.ts';
import { type FreeTrial, readFreeTrial } from './free-trial.ts';
import type { ProbeAnswer, ProbeOutcome } from './probe-outcome.ts';

/** A probe outcome after parsing: everything the judge sees. */
export type Reading = ReadAnswer | NotAnswered;

export type NotAnswered = Exclude<ProbeOutcome, ProbeAnswer>;

export interface ReadAnswer {
  readonly kind: 'answered';
  readonly status: number;
  readonly challenge: Challenge;
  readonly freeTrial: FreeTrial | null;
}

export function readOutcome(outcome: ProbeOutcome): Reading {
  return outcome.kind === 'answered' ? readAnswer(outcome) : outcome;
}

export function readAnswer(answer: ProbeAnswer): ReadAnswer {
  const { status, headers } = answer;
  // Terms in any other answer are ignored: only HTTP 402 asks for money (gap G33).
  const challenge: Challenge = status === 402 ? readChallenge(answer) : { kind: 'none' };
  return { kind: 'answered', status, challenge, freeTrial: readFreeTrial(headers) };
}
