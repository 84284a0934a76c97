import { z } from 'zod';
import type { RetestResult } from '../../flows/seller/retest.ts';
import type { Links } from './links.ts';
import { moment, probeMethod, verdict } from './shapes.ts';

/** The answer to a re-test. */
export const retestAnswer = z.object({
  action: z.literal('retest'),
  url: z.string(),
  method: probeMethod,
  verdict,
  reason: z.string().describe('Plain words'),
  checked_at: moment,
  receipt_url: z.string(),
  skips_row: z.string().nullable().describe('The row of this URL on the page of skips'),
});

export function retestJson(
  { decision: { receipt }, skipRow }: Extract<RetestResult, { kind: 'retested' }>,
  links: Links,
): z.infer<typeof retestAnswer> {
  return {
    action: 'retest',
    url: receipt.url,
    method: receipt.method,
    verdict: receipt.verdict,
    reason: receipt.reasonText,
    checked_at: receipt.checkedAt.toISOString(),
    receipt_url: links.receipt(receipt.id),
    skips_row: skipRow === null ? null : `${links.skips}#${skipRow}`,
  };
}
