import * as z from 'zod';
import { correctionSha256 } from '../../core/statement/correction.ts';
import type { CorrectionsPage } from '../../flows/read/list-corrections.ts';
import type { StoredCorrection } from '../../ports/log/corrections.ts';
import type { Links } from '../responses/links.ts';
import { verdict } from '../responses/shapes.ts';

const count = z.int().min(0);

const correctionShape = z.object({
  id: z.string().describe('The id of the receipt, a colon and a number.'),
  receipt_id: z.string().describe('Id of the receipt, which stays as it is.'),
  receipt_url: z.url().describe('URL of the receipt.'),
  at: z.iso.datetime().describe('Time of the correction, UTC.'),
  was: verdict.describe('What we said.'),
  is: verdict.describe('What is right.'),
  because: z.string().describe('Why, in words.'),
  text: z.string().describe('The exact text that the log commits to.'),
  sha256: z.base64().describe('SHA-256 of the text in base64, as in the entry of the log.'),
});

/** The body of /v1/corrections. */
export const correctionsResponse = z.object({
  page: z.int().min(1).describe('This page, from 1.'),
  count: count.describe('Corrections on this page.'),
  corrections: z.array(correctionShape).describe('Corrections, newest first.'),
  withdrawals: z
    .object({
      secret: count.describe('The receipt showed a secret.'),
      personal: count.describe('It showed personal data.'),
      legal: count.describe('The law required it.'),
      error: count.describe('It was published by mistake.'),
    })
    .describe('How many receipts were withdrawn, by reason.'),
  next: z.url().nullable().describe('URL of the next page; null on the last.'),
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
