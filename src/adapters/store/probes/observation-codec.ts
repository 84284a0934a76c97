import { z } from 'zod';
import type { Observation } from '../../../core/verdict/observation.ts';
import {
  jsonOf,
  storedDemand,
  storedDiagnostics,
  storedEvidence,
  storedFreeTrial,
  storedMethod,
  storedOffer,
  storedUsedInput,
} from '../engine/stored-values.ts';

/** An observation as JSON text, with its bigints spelled out. */
export function encodeObservation(observation: Observation): string {
  return jsonOf(observation);
}

/** Null when another release wrote something that this one does not know. */
export function decodeObservation(text: string): Observation | null {
  const reading = storedObservation.safeParse(JSON.parse(text));
  return reading.success ? reading.data : null;
}

const storedChallenge = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({
    kind: z.literal('unreadable'),
    fault: z.enum([
      'repeated_header',
      'bad_encoding',
      'bad_json',
      'bad_version',
      'ambiguous_json',
      'too_large',
      'no_entries',
      'no_readable_entry',
    ]),
  }),
  z.strictObject({
    kind: z.literal('readable'),
    source: z.enum(['header', 'body']),
    x402Version: z.literal([1, 2]).nullable(),
    offers: z.tuple([storedOffer], storedOffer).readonly(),
    bodyOffers: z.array(storedOffer).readonly().nullable(),
    demands: z.array(storedDemand).readonly(),
    hasMoreEntries: z.boolean(),
  }),
]);

const storedObservation = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('answered'),
    status: z.int(),
    challenge: storedChallenge,
    freeTrial: storedFreeTrial.nullable(),
    evidence: storedEvidence,
    // Absent in probes of older releases.
    diagnostics: storedDiagnostics.default([]),
    refusal: z
      .strictObject({
        allow: z.array(storedMethod).readonly().nullable(),
        missing: z.array(z.string()).readonly(),
      })
      .nullable(),
    input: storedUsedInput.nullable(),
  }),
  z.strictObject({ kind: z.literal('headers_too_large') }),
  z.strictObject({ kind: z.literal('timed_out') }),
  z.strictObject({
    kind: z.literal('unreachable'),
    cause: z.enum(['name_not_found', 'name_lookup_failed', 'connection_failed', 'tls_failed', 'not_http']),
  }),
  z.strictObject({ kind: z.literal('blocked') }),
]);
