import { hash } from 'node:crypto';
import { headerValues } from '../header-values.ts';
import type { ProbeAnswer, ProbeOutcome } from './probe-outcome.ts';
import { type NotAnswered, notAnswered, type ReadAnswer, readAnswer } from './reading.ts';

/** What was read, with evidence that is small and safe to store. */
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
