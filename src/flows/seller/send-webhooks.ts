import { utcHour } from '../../core/access/utc-window.ts';
import { WEBHOOKS_PER_HOST_HOUR, WEBHOOKS_PER_WATCHED_ORIGIN_HOUR } from '../../core/seller/seller-limits.ts';
import { webhookRetryMs } from '../../core/seller/webhook-schedule.ts';
import { webhookHeaders, webhookKey } from '../../core/seller/webhook-signature.ts';
import { blockRule, type GatePolicy } from '../../core/url/gate.ts';
import { parseTargetUrl } from '../../core/url/target-url.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CounterStore } from '../../ports/counter-store.ts';
import type { DueEvent, SendWebhook, WatchStore } from '../../ports/seller.ts';
import { type CorrectedPorts, type RightVerdicts, rightVerdicts } from '../read/corrected-receipts.ts';

export interface SendWebhooksPorts extends CorrectedPorts {
  readonly watches: Pick<WatchStore, 'takeEvents' | 'drop' | 'retry' | 'giveUp'>;
  readonly counters: Pick<CounterStore, 'reserve'>;
  readonly sendWebhook: SendWebhook;
  /** The body of an event as it is right by now; null when nothing has changed then. */
  readonly corrected: (body: string, right: RightVerdicts) => string | null;
  readonly policy: GatePolicy;
  readonly keyOf: (text: string) => string;
  readonly secret: string;
  readonly clock: Pick<Clock, 'now'>;
}

/** Longer than all attempts of a round, which run side by side and end after five seconds each. */
const LEASE_MS = 60_000;
const EVENTS_PER_ROUND = 20;
/** For a host that has had its share of this hour. */
const POSTPONED_MS = 600_000;

/** Sends what is due, at least once: the same event again has the same id. Returns the number of deliveries. */
export async function sendWebhooks(ports: SendWebhooksPorts): Promise<number> {
  const due = await ports.watches.takeEvents(LEASE_MS, EVENTS_PER_ROUND);
  if (due.length === 0) return 0;
  const right = await rightVerdicts(ports);
  const outcomes = await Promise.all(due.map((event) => attempt(event, right, ports)));
  return outcomes.filter((isDelivered) => isDelivered).length;
}

async function attempt(event: DueEvent, right: RightVerdicts, ports: SendWebhooksPorts): Promise<boolean> {
  const { watches, secret, clock } = ports;
  const body = ports.corrected(event.body, right);
  if (body === null || isBlocked(event, ports)) {
    await watches.drop(event.id);
    return false;
  }
  if (!(await mayReceive(event, ports))) {
    await watches.retry(event.id, event.failed, POSTPONED_MS);
    return false;
  }
  const { webhook: url, watchId } = event;
  const headers = webhookHeaders(body, webhookKey(watchId, secret), clock.now());
  if ((await ports.sendWebhook({ url, body, headers })) === 'delivered') {
    await watches.drop(event.id);
    return true;
  }
  const failed = event.failed + 1;
  const afterMs = webhookRetryMs(failed);
  if (afterMs === null) await watches.giveUp(event);
  else await watches.retry(event.id, failed, afterMs);
  return false;
}

/** A host may have opted out since its event was noted (gap G77). */
function isBlocked({ url }: DueEvent, { policy }: SendWebhooksPorts): boolean {
  const reading = parseTargetUrl(url);
  return reading.kind === 'invalid' || blockRule(reading.target, policy) !== null;
}

/** Bounds what a host receives, per watched origin too, so that one watch cannot use up the budget of another. */
async function mayReceive(
  { webhook, originKey }: DueEvent,
  { counters, keyOf, clock }: SendWebhooksPorts,
): Promise<boolean> {
  const reading = parseTargetUrl(webhook);
  const host = reading.kind === 'target' ? reading.target.host : webhook;
  const window = utcHour(clock.now());
  const key = `webhooks:${keyOf(host)}`;
  const { granted } = await counters.reserve([
    { key: `${key}:${originKey}`, window, limit: WEBHOOKS_PER_WATCHED_ORIGIN_HOUR },
    { key, window, limit: WEBHOOKS_PER_HOST_HOUR },
  ]);
  return granted;
}
