import * as z from 'zod';
import type { ReceiptPromise } from '../../../flows/log/promise-receipt.ts';
import { sha256 } from '../shapes.ts';

/** Of the paid shape. */
export const promiseMembers = {
  receipt_sha256: sha256
    .nullable()
    .describe('SHA-256 of the statement of the receipt, which the log commits to; null without one.'),
  receipt_promise: z
    .string()
    .nullable()
    .describe(
      'A signed note: a promise that the receipt will be in the log by a given time; null without one.',
    ),
};

export function promiseJson(promised: ReceiptPromise | null) {
  return { receipt_sha256: hexOf(promised), receipt_promise: promised?.note ?? null };
}

/** The free shape has a fixed list of members, so its promise comes in header fields. A note has several lines: it is in base64. */
export function promiseHeaders(promised: ReceiptPromise | null): Readonly<Record<string, string>> {
  const hex = hexOf(promised);
  if (hex === null) return {};
  const { note = null } = promised ?? {};
  const signed = note === null ? {} : { 'receipt-promise': Buffer.from(note).toString('base64') };
  return { 'receipt-sha256': hex, ...signed };
}

function hexOf(promised: ReceiptPromise | null): string | null {
  return promised === null ? null : Buffer.from(promised.sha256).toString('hex');
}
