import * as z from 'zod';
import { listOf } from '../../../core/statement/read-values.ts';
import { readView } from '../../../core/statement/read-views.ts';
import { viewMembers } from '../../../core/statement/write-views.ts';
import { VANTAGES_MAX } from '../../../core/vantage/vantage-limits.ts';
import { isJsonObject } from '../../../core/x402/read-json.ts';
import type { StoredProbe } from '../../../ports/probe-cache.ts';
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

type Observed = Pick<StoredProbe, 'observation' | 'views'>;

/** An observation as JSON text, with its bigints spelled out; what others saw is beside it, in the form of a statement. */
export function encodeObservation({ observation, views }: Observed): string {
  return jsonOf(views === undefined ? observation : { ...observation, views: views.map(viewMembers) });
}

/** Null when another release wrote something that this one does not know. */
export function decodeObservation(text: string): Observed | null {
  const value: unknown = JSON.parse(text);
  const { views, observation } = splitViews(value);
  const reading = storedObservation.safeParse(observation);
  if (!reading.success) return null;
  if (views === undefined) return { observation: reading.data };
  try {
    return { observation: reading.data, views: listOf(views, VANTAGES_MAX, readView) };
  } catch {
    return null;
  }
}

function splitViews(value: unknown): { readonly views?: unknown; readonly observation: unknown } {
  if (!isJsonObject(value)) return { observation: value };
  const { views, ...observation } = value;
  return { views, observation };
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
