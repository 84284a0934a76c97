import { hash } from 'node:crypto';
import { headerValues } from '../header-values.ts';
import { unreachable } from '../unreachable.ts';
import { type Challenge, readChallenge } from '../x402/challenge.ts';
import { type FreeTrial, readFreeTrial } from './free-trial.ts';
import type { ProbeAnswer, ProbeOutcome } from './probe-outcome.ts';

/** A probe outcome after parsing: everything the judge sees. */
export type Reading = ReadAnswer | NotAnswered;
type NotAnswered = Exclude<ProbeOutcome, ProbeAnswer>;

export interface ReadAnswer {
  readonly kind: 'answered';
  readonly status: number;
  readonly challenge: Challenge;
  readonly freeTrial: FreeTrial | null;
}

/** The same with evidence that is small and safe to store. */
export type Observation = ObservedAnswer | NotAnswered;

export interface ObservedAnswer extends ReadAnswer {
  readonly evidence: Evidence;
}

/** Hashes of what was received, so that a seller and a reader can agree on it later without us publishing it. */
export interface Evidence {
  readonly paymentRequiredSha256: string | null;
  readonly bodySha256: string | null;
}

export function observe(outcome: ProbeOutcome): Observation {
  return outcome.kind === 'answered'
    ? { ...readAnswer(outcome), evidence: evidenceOf(outcome) }
    : notAnswered(outcome);
}

/** Without evidence. */
export function readOutcome(outcome: ProbeOutcome): Reading {
  return outcome.kind === 'answered' ? readAnswer(outcome) : notAnswered(outcome);
}

function notAnswered(outcome: NotAnswered): NotAnswered {
  switch (outcome.kind) {
    case 'headers_too_large':
    case 'timed_out':
    case 'unreachable':
    case 'blocked':
      return outcome;
    default:
      return unreachable(outcome);
  }
}

function readAnswer(answer: ProbeAnswer): ReadAnswer {
  const { status, headers } = answer;
  // Terms in any other answer are ignored: only HTTP 402 asks for money (gap G33).
  const challenge: Challenge = status === 402 ? readChallenge(answer) : { kind: 'none' };
  return { kind: 'answered', status, challenge, freeTrial: readFreeTrial(headers) };
}

function evidenceOf({ headers, body }: ProbeAnswer): Evidence {
  const paymentRequired = headerValues(headers, 'payment-required');
  // The HTTP client decodes field values as Latin-1; repeated ones are joined with a newline.
  return {
    paymentRequiredSha256: paymentRequired.length === 0 ? null : sha256(paymentRequired.join('\n')),
    bodySha256: body.byteLength === 0 ? null : sha256(body),
  };
}

function sha256(data: string | Uint8Array): string {
  return hash('sha256', typeof data === 'string' ? Buffer.from(data, 'latin1') : data, 'hex');
}
