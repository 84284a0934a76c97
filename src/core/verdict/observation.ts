import { hash } from 'node:crypto';
import { diagnoseOutcome } from '../diagnose/diagnose-outcome.ts';
import type { Diagnostic } from '../diagnose/diagnostic.ts';
import { headerValues } from '../header-values.ts';
import type { UsedInput } from '../input/listed-input.ts';
import { missingNames } from '../input/missing-names.ts';
import type { ProbeAnswer, ProbeMethod, ProbeOutcome } from './probe-outcome.ts';
import { type NotAnswered, type ReadAnswer, readAnswer } from './reading.ts';

/** What was read, with evidence that is small and safe to store. */
export type Observation = ObservedAnswer | NotAnswered;

export interface ObservedAnswer extends SeenAnswer {
  /** What to change where it would be refused whatever is expected; empty otherwise. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The part of an observation that a statement keeps: all that the judge looks at, and the evidence. */
export type Seen = SeenAnswer | NotAnswered;

export interface SeenAnswer extends ReadAnswer {
  readonly evidence: Evidence;
  readonly refusal: Refusal | null;
  /** What was sent beside the bare URL; null for nothing. */
  readonly input: UsedInput | null;
}

/** What an answer of 4xx other than 402 says about the request. */
export interface Refusal {
  /** The methods of its Allow field that a probe may use; null without one. */
  readonly allow: readonly ProbeMethod[] | null;
  /** Parameters that it names as missing. */
  readonly missing: readonly string[];
}

/** Hashes of what was received, so that a seller and a reader can agree on it later without us publishing it. */
export interface Evidence {
  readonly paymentRequiredSha256: string | null;
  readonly bodySha256: string | null;
}

/** Without a time no terms have expired. */
export function observe(outcome: ProbeOutcome, probedAt?: Date, input: UsedInput | null = null): Observation {
  if (outcome.kind !== 'answered') return outcome;
  const reading = readAnswer(outcome);
  const diagnostics = diagnoseOutcome(outcome, reading, probedAt);
  return { ...reading, evidence: evidenceOf(outcome), diagnostics, refusal: readRefusal(outcome), input };
}

export function diagnosticsOf(observation: Observation): readonly Diagnostic[] {
  return observation.kind === 'answered'
    ? observation.diagnostics
    : diagnoseOutcome(observation, observation);
}

/** The endpoint has done what it was asked for, without payment. */
export function isServed(observation: Observation): boolean {
  return observation.kind === 'answered' && observation.status >= 200 && observation.status <= 299;
}

const METHODS: readonly ProbeMethod[] = ['GET', 'POST'];

function readRefusal({ status, headers, body, bodyComplete }: ProbeAnswer): Refusal | null {
  if (status < 400 || status > 499 || status === 402) return null;
  const fields = headerValues(headers, 'allow');
  const named = fields.flatMap((field) => field.toUpperCase().split(/[\s,]+/));
  return {
    allow: fields.length === 0 ? null : METHODS.filter((method) => named.includes(method)),
    missing: bodyComplete ? missingNames(body) : [],
  };
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
