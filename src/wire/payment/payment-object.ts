import { z } from 'zod';
import { usdNumber } from '../../core/money/micro-usd.ts';
import type { Terms } from '../../core/x402/terms.ts';
import { caip2, moment, usd } from '../responses/shapes.ts';

/** The exact payment that may be signed. The last four members are kept for older clients. */
export const paymentObject = z.object({
  network: caip2,
  asset: z.string().describe('Canonical USDC of the network'),
  amount: z.object({ atomic: z.string(), usd: usd.nullable() }),
  pay_to: z.string(),
  deadline: moment,
  deadline_source: z.enum(['validBefore', 'maxTimeoutSeconds', 'default_60s']),
  max_timeout_seconds: z
    .int()
    .nullable()
    .describe('Sign for at most this long; null in receipts from before this member'),
  scheme: z.literal('exact'),
  asset_is_usdc: z.boolean().nullable(),
  amount_atomic: z.string(),
  amount_usd: usd.nullable(),
});

export function paymentJson(terms: Terms): z.infer<typeof paymentObject> {
  const atomic = terms.amountAtomic.toString();
  const dollars = usdNumber(terms.amountAtomic);
  return {
    network: terms.network,
    asset: terms.asset,
    amount: { atomic, usd: dollars },
    pay_to: terms.payTo,
    deadline: terms.deadline.toISOString(),
    deadline_source: terms.deadlineSource,
    max_timeout_seconds: terms.maxTimeoutSeconds,
    scheme: terms.scheme,
    asset_is_usdc: true,
    amount_atomic: atomic,
    amount_usd: dollars,
  };
}
