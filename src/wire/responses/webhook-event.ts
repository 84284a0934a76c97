import * as z from 'zod';
import type { Change, WatchedState } from '../../core/seller/observed-state.ts';
import type { RightVerdicts } from '../../flows/read/corrected-receipts.ts';
import type { Watch } from '../../ports/seller.ts';
import type { Links } from './links.ts';
import { moment, usd, usdOrNull, verdict } from './shapes.ts';

const state = z.object({
  verdict,
  price_usd: usd.nullable().describe('Price in the 402, USD; null without one.'),
  pay_to: z.string().nullable().describe('Payee in the 402; null without one.'),
});

/** What a webhook gets when a watched endpoint has changed (gap L113). */
export const webhookEvent = z.object({
  event: z.literal('endpoint_changed').describe('Kind of event; there is only this one.'),
  id: z.string().describe('Id of the event, the same at every attempt.'),
  url: z.string().describe('The endpoint.'),
  before: state.describe('What was seen before.'),
  after: state.describe('What is seen now.'),
  receipt: z.string().describe('URL of the receipt of the new check.'),
  at: moment.describe('Time of the new check, UTC.'),
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

/** An event that waited, with the right verdict of its check; null when it then tells of no change. */
export function correctedEvent(body: string, right: RightVerdicts): string | null {
  const { data: event } = webhookEvent.safeParse(JSON.parse(body));
  const is = right.get(event?.receipt.split('/').at(-1) ?? '');
  // What another release wrote may have another shape.
  if (event === undefined || is === undefined) return body;
  const after = { ...event.after, verdict: is };
  return JSON.stringify(after) === JSON.stringify(event.before) ? null : JSON.stringify({ ...event, after });
}

function stateJson({ verdict: found, price, payTo }: WatchedState): z.infer<typeof state> {
  return { verdict: found, price_usd: usdOrNull(price), pay_to: payTo };
}
