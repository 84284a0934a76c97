import * as z from 'zod';
import type { ListedReceipt, LiveReceipt } from '../../../core/receipt/live-receipt.ts';
import { hasStatementForm, readStatement } from '../../../core/statement/read-statement.ts';
import { statedLive, statementOfLive } from '../../../core/statement/stated-live.ts';
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

/** The statement of a receipt. One of an older release has none, and keeps its form: a payment may have waited for its settlement. */
export function encodeLiveReceipt(receipt: LiveReceipt): string {
  return statementOfLive(receipt) ?? encodeOlderReceipt(receipt);
}

export function encodeOlderReceipt(receipt: LiveReceipt): string {
  const { seen: _, salt: __, listedMethod: ___, views: ____, ...older } = receipt;
  return jsonOf(older);
}

/** Receipts are for ever: one that cannot be read is a fault of ours, so it throws. */
export function decodeLiveReceipt(text: string): LiveReceipt {
  const value: unknown = JSON.parse(text);
  return hasStatementForm(value) ? fromStatement(text, value) : decodeOlderReceipt(value);
}

function fromStatement(text: string, value: unknown): LiveReceipt {
  const statement = readStatement(text, value);
  const receipt = statement?.kind === 'live' ? statedLive(statement) : null;
  if (receipt === null) throw new Error('a stored statement cannot be read');
  return receipt;
}

export function decodeOlderReceipt(value: unknown): LiveReceipt {
  return { ...storedLiveReceipt.parse(value), seen: null, salt: null, listedMethod: null, views: null };
}

/** The part of a receipt that a listing shows. */
export function encodeListedReceipt(receipt: LiveReceipt): string {
  return jsonOf(listedPart(receipt));
}

function listedPart(receipt: LiveReceipt): ListedReceipt {
  const { id, url, checkedAt, checkType, ref, listing, liveDemand, verdict, reason } = receipt;
  return { id, url, checkedAt, checkType, ref, listing, liveDemand, verdict, reason };
}

/** Reads that part of a whole receipt, too. */
export function decodeListedReceipt(text: string): ListedReceipt {
  const value: unknown = JSON.parse(text);
  return hasStatementForm(value) ? listedPart(fromStatement(text, value)) : storedListedReceipt.parse(value);
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

/** Receipts from before there were statements. */
const storedLiveReceipt = z.strictObject({
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
  id,
  url,
  checkedAt,
  checkType,
  ref,
  listing,
  liveDemand,
  verdict,
  reason,
});
