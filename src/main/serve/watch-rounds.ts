import { urlKeyOf } from '../../core/keyed-hash.ts';
import { lookForChanges } from '../../flows/seller/look-for-changes.ts';
import { sendWebhooks } from '../../flows/seller/send-webhooks.ts';
import { linksAt } from '../../wire/responses/links.ts';
import { correctedEvent, webhookEventJson } from '../../wire/responses/webhook-event.ts';
import type { Runtime } from '../build/build-app.ts';

export interface WatchRoundParts
  extends Pick<Runtime, 'store' | 'policy' | 'secret' | 'now' | 'sendWebhook'> {
  /** The public address in the links of events. */
  readonly baseUrl: string;
}

/** One round: finds what has changed at watched endpoints, and tells their webhooks. */
export function createWatchRound({ store, policy, secret, now, sendWebhook, baseUrl }: WatchRoundParts) {
  const keyOf = urlKeyOf(secret);
  const links = linksAt(baseUrl);
  const { watches, counters, receipts, runs, corrections } = store;
  const clock = { now };
  const common = { watches, policy, secret, clock, keyOf };
  return async (): Promise<{ readonly events: number; readonly delivered: number }> => {
    const events = await lookForChanges({
      ...common,
      watched: { receipts, runs, keyOf, corrections, clock },
      render: (id, watch, change) => JSON.stringify(webhookEventJson(id, watch, change, links)),
    });
    const sending = { ...common, counters, corrections, sendWebhook, corrected: correctedEvent };
    const delivered = await sendWebhooks(sending);
    return { events, delivered };
  };
}
