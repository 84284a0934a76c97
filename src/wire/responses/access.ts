import * as z from 'zod';
import type { FreeQuota } from '../../core/access/admission.ts';
import { LOOKUP_PRICE, SPOT_CHECK_PRICE_MAX, SPOT_CHECK_PRICE_MIN } from '../../core/limits.ts';
import { formatUsd } from '../../core/money/micro-usd.ts';

export const freeAccess = z.object({
  tier: z.literal('free').describe('A free call.'),
  free_per_day: z.int().describe('Free calls of this kind per caller and UTC day.'),
  free_used_today: z.int().describe('Free calls used today, this one included.'),
  free_remaining_today: z.int().describe('Free calls left until 00:00 UTC.'),
  // biome-ignore lint/suspicious/noThenProperty: the interface names this field; the object is never awaited.
  then: z.string().describe('What a call costs once the free calls are used up.'),
});

export const paidAccess = z.object({
  tier: z.literal('paid').describe('A call that was paid for.'),
  charged_usd: z.string().describe('Amount that was charged, decimal USD.'),
  tx: z.string().describe('Hash of the settlement transaction.'),
  asset: z.string().describe('Token contract of the payment.'),
  basescan_url: z.string().describe('The settlement in a block explorer.'),
  payer: z.string().describe('Wallet that paid.'),
});

/** A payment that was not settled, because there was nothing to charge for (gaps G40 and G98). */
export const unchargedAccess = z.object({
  tier: z.literal('paid').describe('A call with a payment.'),
  charged_usd: z.literal('0').describe('Nothing was charged.'),
  tx: z.literal('').describe('Empty: nothing was settled.'),
  note: z.string().describe('Why nothing was charged. The payment can be used again.'),
});

export const exemptAccess = z.object({
  tier: z.literal('exempt').describe("The operator's self-test key: not metered and not charged."),
  note: z.string().describe('The same in words.'),
});

export const lookupAccess = z
  .union([freeAccess, paidAccess, unchargedAccess, exemptAccess])
  .describe('How the call was paid for. It never changes the results.');

/** What follows the free quota. */
export const THEN_LOOKUP = `${formatUsd(LOOKUP_PRICE)} USD per lookup, paid with x402`;
export const THEN_SPOT_CHECK = `a tenth of the quoted price per check, ${formatUsd(SPOT_CHECK_PRICE_MIN)} to ${formatUsd(SPOT_CHECK_PRICE_MAX)} USD, paid with x402`;
export const THEN_DRY_RUN = 'no more dry runs until 00:00 UTC; a live check can be paid with x402';

/** The same for a service without a wallet. */
export function thenOf(sold: string, sells: boolean): string {
  if (sells) return sold;
  return sold === THEN_DRY_RUN
    ? 'no more dry runs until 00:00 UTC'
    : 'none until 00:00 UTC; this service sells nothing';
}

export function freeAccessJson(
  { perDay, used, remaining }: FreeQuota,
  then: string,
): z.infer<typeof freeAccess> {
  return {
    tier: 'free',
    free_per_day: perDay,
    free_used_today: used,
    free_remaining_today: remaining,
    then,
  };
}

/** Why nothing was charged. */
const UNCHARGED_NOTES = {
  undecided: 'the endpoint could not be judged: nothing was charged, and the payment can be used again',
  nothing_matched: 'nothing matched: nothing was charged, and the payment can be used again',
} as const;

export function unchargedAccessJson(why: keyof typeof UNCHARGED_NOTES): z.infer<typeof unchargedAccess> {
  return { tier: 'paid', charged_usd: '0', tx: '', note: UNCHARGED_NOTES[why] };
}

export const EXEMPT_ACCESS: z.infer<typeof exemptAccess> = {
  tier: 'exempt',
  note: 'self-test key: not metered and not charged',
};
