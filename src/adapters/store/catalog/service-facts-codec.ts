import * as z from 'zod';
import type { EndpointCheck } from '../../../core/catalog/endpoint-check.ts';
import type { PaidCall } from '../../../core/known-answer/paid-call.ts';
import type { CallEvidence } from '../../../ports/paid-calls.ts';
import { storedMoney, storedTime } from '../engine/stored-values.ts';

export function encodePaidCall(call: PaidCall): string {
  return JSON.stringify(z.encode(storedPaidCall, call));
}

/** Throws when unreadable: lookups are computed from paid calls, so none may be dropped silently. */
export function decodePaidCall(text: string): PaidCall {
  return storedPaidCall.parse(JSON.parse(text));
}

export function encodeEvidence(evidence: CallEvidence): string {
  return JSON.stringify(z.encode(storedCallEvidence, evidence));
}

export function encodeCheck(check: EndpointCheck): string {
  return JSON.stringify(z.encode(storedCheck, check));
}

export function decodeCheck(text: string): EndpointCheck {
  return storedCheck.parse(JSON.parse(text));
}

const storedPaidCall = z.strictObject({
  calledAt: storedTime,
  tx: z.string().nullable(),
  charged: storedMoney.nullable(),
  payTo: z.string().nullable(),
  delivered: z.boolean(),
  ourFault: z.boolean(),
  quality: z.enum(['pass', 'fail', 'not_graded']),
  qualityReason: z.string(),
  httpStatus: z.int().nullable(),
  latencyMs: z.number().nullable(),
});

const storedCallEvidence = z.strictObject({ bodySha256: z.string().nullable(), body: z.string().nullable() });

const storedCheck = z.strictObject({
  checkedAt: storedTime,
  reachable: z.boolean(),
  x402Challenge: z.boolean(),
  quotedPrice: storedMoney.nullable(),
  priceMatchesListing: z.boolean().nullable(),
});
