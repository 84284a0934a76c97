import { z } from 'zod';
import type { ListedReceipt, LiveReceipt } from '../../../core/receipt/live-receipt.ts';
import { type Reason, VERDICT_OF_REASON } from '../../../core/verdict/verdict.ts';
import {
  jsonOf,
  storedDiagnostics,
  storedEvidence,
  storedFreeTrial,
  storedMethod,
  storedMoney,
  storedNeedsInput,
  storedNetwork,
  storedOffer,
  storedTime,
  storedUsedInput,
} from '../engine/stored-values.ts';

/** A receipt as JSON text, with its bigints and dates spelled out. */
export function encodeLiveReceipt(receipt: LiveReceipt): string {
  return jsonOf(receipt);
}

/** Receipts are for ever: one that cannot be read is a fault of ours, so it throws. */
export function decodeLiveReceipt(text: string): LiveReceipt {
  return storedLiveReceipt.parse(JSON.parse(text));
}

/** The part of a receipt that a listing shows. */
export function encodeListedReceipt(receipt: LiveReceipt): string {
  const { id, url, checkedAt, checkType, ref, listing, liveDemand, verdict, reason } = receipt;
  const listed: ListedReceipt = { id, url, checkedAt, checkType, ref, listing, liveDemand, verdict, reason };
  return jsonOf(listed);
}

/** Reads that part of a whole receipt, too. */
export function decodeListedReceipt(text: string): ListedReceipt {
  return storedListedReceipt.parse(JSON.parse(text));
}

const claim = {
  price: storedMoney.nullable(),
  payTo: z.string().nullable(),
  network: storedNetwork.nullable(),
};

const storedTerms = z.strictObject({
  scheme: z.literal('exact'),
  network: storedNetwork,
  asset: z.string(),
  amountAtomic: storedMoney,
  payTo: z.string(),
  deadline: storedTime,
  deadlineSource: z.enum(['validBefore', 'maxTimeoutSeconds', 'default_60s']),
  // Absent in receipts from before it was part of the terms.
  maxTimeoutSeconds: z.int().nullable().default(null),
});

export const storedLiveReceipt = z.strictObject({
  id: z.string(),
  url: z.string(),
  method: z.enum(['GET', 'POST']),
  checkedAt: storedTime,
  checkType: z.enum(['dry-run', 'self-checked']),
  mode: z.enum(['live', 'dry-run']),
  ref: z.string().nullable(),
  task: z.string().nullable(),
  listing: z.strictObject({ ...claim, sourceList: z.string() }).nullable(),
  liveDemand: z.strictObject({
    httpStatus: z.int().nullable(),
    x402Challenge: z.boolean(),
    error: z.enum(['headers_too_large', 'timed_out', 'unreachable', 'blocked']).nullable(),
    freeTrial: storedFreeTrial.nullable(),
  }),
  live402: z
    .strictObject({
      x402Version: z.literal([1, 2]).nullable(),
      source: z.enum(['header', 'body']),
      accepts: z.array(storedOffer).readonly(),
    })
    .nullable(),
  expected: z.strictObject({ ...claim, source: z.enum(['request', 'listing']).nullable() }),
  verdict: z.enum(['pay', 'skip', 'recheck']),
  reason: z.custom<Reason>((value) => typeof value === 'string' && Object.hasOwn(VERDICT_OF_REASON, value)),
  reasonText: z.string(),
  // Absent in receipts from before input was sent.
  input: storedUsedInput.nullable().default(null),
  needsInput: storedNeedsInput.nullable().default(null),
  otherMethod: storedMethod.nullable().default(null),
  approvedPayment: storedTerms.nullable(),
  paymentTermsSha256: z.string().nullable(),
  probe: z.strictObject({ probedAt: storedTime, cached: z.boolean(), cacheTtlSeconds: z.int() }),
  evidence: storedEvidence,
  // Absent in receipts of older releases.
  diagnostics: storedDiagnostics.default([]),
  rulesVersion: z.string(),
});

const { id, url, checkedAt, checkType, ref, listing, liveDemand, verdict, reason } = storedLiveReceipt.shape;
const storedListedReceipt = z.object({
  ...{ id, url, checkedAt, checkType, ref },
  ...{ listing, liveDemand, verdict, reason },
});
