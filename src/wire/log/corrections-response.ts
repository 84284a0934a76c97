import { z } from 'zod';
import { correctionSha256 } from '../../core/statement/correction.ts';
import type { CorrectionsPage } from '../../flows/read/list-corrections.ts';
import type { StoredCorrection } from '../../ports/log/corrections.ts';
import type { Links } from '../responses/links.ts';

const verdict = z.enum(['pay', 'skip', 'recheck']);
const count = z.int().min(0);

const correctionShape = z.object({
  id: z.string().describe('The id of the receipt, a colon and a number'),
  receipt_id: z.string(),
  receipt_url: z.url(),
  at: z.iso.datetime(),
  was: verdict.describe('What we said'),
  is: verdict.describe('What is right'),
  because: z.string(),
  text: z.string().describe('The exact text that the log commits to'),
  sha256: z.base64().describe('Of the text, as in the entry of the log'),
});

/** The body of /v1/corrections. */
export const correctionsResponse = z.object({
  page: z.int().min(1),
  count,
  corrections: z.array(correctionShape).describe('Newest first'),
  withdrawals: z
    .object({ secret: count, personal: count, legal: count, error: count })
    .describe('How many receipts were withdrawn, by reason'),
  next: z.url().nullable(),
});

export function correctionsJson(
  { corrections, page, hasNext, withdrawals }: CorrectionsPage,
  links: Links,
): z.infer<typeof correctionsResponse> {
  return {
    page,
    count: corrections.length,
    corrections: corrections.map((one) => correctionJson(one, links)),
    withdrawals,
    next: hasNext ? `${links.base}/v1/corrections?page=${page + 1}` : null,
  };
}

function correctionJson(
  { id, receiptId, at, was, is, because, text }: StoredCorrection,
  links: Links,
): z.infer<typeof correctionShape> {
  const sha256 = Buffer.from(correctionSha256(text)).toString('base64');
  const receipt_url = links.receipt(receiptId);
  return { id, receipt_id: receiptId, receipt_url, at: at.toISOString(), was, is, because, text, sha256 };
}
