import { createHash } from 'node:crypto';
import { headerValues } from '../header-values.ts';
import { unreachable } from '../unreachable.ts';
import { type Challenge, readChallenge } from '../x402/challenge.ts';
import { type FreeTrial, readFreeTrial } from './free-trial.ts';
import type { ProbeAnswer, ProbeOutcome } from './probe-outcome.ts';

/** A probe after reading: small, safe to store, and all that the judge looks at. */
export type Observation = ObservedAnswer | Exclude<ProbeOutcome, ProbeAnswer>;

export interface ObservedAnswer {
  readonly kind: 'answered';
  readonly status: number;
  readonly challenge: Challenge;
  readonly freeTrial: FreeTrial | null;
  readonly evidence: Evidence;
}

/** Hashes of what was received, so that a seller and a reader can agree on it later without us publishing it. */
export interface Evidence {
  readonly paymentRequiredSha256: string | null;
  readonly bodySha256: string | null;
}

export function observe(outcome: ProbeOutcome): Observation {
  switch (outcome.kind) {
    case 'answered':
      return {
        kind: 'answered',
        status: outcome.status,
        // Terms in any other answer are decoration: only HTTP 402 asks for money (gap G33).
        challenge: outcome.status === 402 ? readChallenge(outcome) : { kind: 'none' },
        freeTrial: readFreeTrial(outcome.headers),
        evidence: evidenceOf(outcome),
      };
    case 'headers_too_large':
    case 'timed_out':
    case 'unreachable':
    case 'blocked':
      return outcome;
    default:
      return unreachable(outcome);
  }
}

function evidenceOf({ headers, body }: ProbeAnswer): Evidence {
  const paymentRequired = headerValues(headers, 'payment-required');
  // Field values are bytes that the HTTP client shows as Latin-1; repeated ones are kept apart by a newline.
  return {
    paymentRequiredSha256: paymentRequired.length === 0 ? null : sha256(paymentRequired.join('\n')),
    bodySha256: body.byteLength === 0 ? null : sha256(body),
  };
}

function sha256(data: string | Uint8Array): string {
  const hash = createHash('sha256');
  return (typeof data === 'string' ? hash.update(data, 'latin1') : hash.update(data)).digest('hex');
}
