import * as z from 'zod';
import { usdNumber } from '../../core/money/micro-usd.ts';
import type { Terms } from '../../core/x402/terms.ts';
import { caip2, closedList, moment, usd } from '../responses/shapes.ts';

/** The exact payment that may be signed. The last four members are kept for older clients. */
export const paymentObject = z.object({
  network: caip2.describe('Network, CAIP-2; always a supported mainnet.'),
  asset: z.string().describe('Token contract: the canonical USDC of the network.'),
  amount: z
    .object({
      atomic: z.string().describe('In the smallest units of the token.'),
      usd: usd.nullable().describe('In USD.'),
    })
    .describe('The exact amount to sign.'),
  pay_to: z.string().describe('Payee.'),
  deadline: moment.describe('The approval ends then, UTC; sign before it.'),
  deadline_source: closedList('Where the deadline comes from.', {
    validBefore: 'the challenge itself',
    maxTimeoutSeconds: 'probed_at plus maxTimeoutSeconds of the challenge',
    default_60s: 'probed_at plus 60 seconds, because the challenge names none',
  }),
  max_timeout_seconds: z
    .int()
    .nullable()
    .describe('Sign for at most this long; null in receipts that are older than this member.'),
  scheme: z.literal('exact').describe('Payment scheme of x402; kept for older clients.'),
  asset_is_usdc: z.boolean().nullable().describe('Always true; kept for older clients.'),
  amount_atomic: z.string().describe('The same as amount.atomic, for older clients.'),
  amount_usd: usd.nullable().describe('The same as amount.usd, for older clients.'),
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
