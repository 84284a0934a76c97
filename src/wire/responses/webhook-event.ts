import { z } from 'zod';
import type { Change, WatchedState } from '../../core/seller/observed-state.ts';
import type { Watch } from '../../ports/seller.ts';
import type { Links } from './links.ts';
import { moment, usd, usdOrNull, verdict } from './shapes.ts';

const state = z.object({ verdict, price_usd: usd.nullable(), pay_to: z.string().nullable() });

/** What a webhook gets when a watched endpoint has changed (gap L113). */
export const webhookEvent = z.object({
  event: z.literal('endpoint_changed'),
  id: z.string().describe('The same at every attempt'),
  url: z.string(),
  before: state,
  after: state,
  receipt: z.string(),
  at: moment,
});

export function webhookEventJson(
  id: string,
  { url }: Watch,
  { before, after }: Change,
  links: Links,
): z.infer<typeof webhookEvent> {
  return {
    event: 'endpoint_changed',
    id,
    url,
    before: stateJson(before),
    after: stateJson(after),
    receipt: links.receipt(after.receiptId),
    at: after.at.toISOString(),
  };
}

function stateJson({ verdict: found, price, payTo }: WatchedState): z.infer<typeof state> {
  return { verdict: found, price_usd: usdOrNull(price), pay_to: payTo };
}
