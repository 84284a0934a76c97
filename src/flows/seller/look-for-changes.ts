import { isDatedAhead } from '../../core/is-dated-ahead.ts';
import { keyedHash } from '../../core/keyed-hash.ts';
import { type Change, isSameState, type SeenState } from '../../core/seller/observed-state.ts';
import { blockRule, type GatePolicy } from '../../core/url/gate.ts';
import { parseTargetUrl } from '../../core/url/target-url.ts';
import type { Clock } from '../../ports/clock.ts';
import type { TakenWatch, Watch, WatchStore } from '../../ports/seller.ts';
import { type NeutralPorts, neutralReceipts } from './neutral-receipts.ts';

export interface LookForChangesPorts {
  readonly watches: Pick<WatchStore, 'take' | 'note'>;
  readonly watched: NeutralPorts;
  readonly policy: GatePolicy;
  readonly secret: string;
  readonly clock: Pick<Clock, 'now'>;
  /** The body of an event. */
  readonly render: (eventId: string, watch: Watch, change: Change) => string;
}

/** Each watch is looked at about once a minute, by one process, a few in a round. */
const LOOK_EVERY_MS = 60_000;
const LOOKS_PER_ROUND = 50;

/** Compares the state of watched endpoints with that of their last event. Returns the number of new events. */
export async function lookForChanges(ports: LookForChangesPorts): Promise<number> {
  const taken = await ports.watches.take(LOOK_EVERY_MS, ports.clock.now(), LOOKS_PER_ROUND);
  let events = 0;
  for (const watch of taken) if (await look(watch, ports)) events += 1;
  return events;
}

/** What was seen by a wrong clock, ahead of now, is older (gap L76). */
function isNewer(after: SeenState, seen: SeenState, now: Date): boolean {
  return after.at > seen.at || isDatedAhead(seen.at.getTime(), now);
}

/** What was first seen is no change, and neither is what was there before it: newer receipts may be out of sight. */
async function look(watch: TakenWatch, ports: LookForChangesPorts): Promise<boolean> {
  const reading = parseTargetUrl(watch.url);
  if (reading.kind === 'invalid' || blockRule(reading.target, ports.policy) !== null) return false;
  const { method, seen } = watch;
  const observed = await neutralReceipts({ target: reading.target, method }, ports.watched);
  const [after] = observed;
  if (after === undefined || (seen !== null && !isNewer(after, seen, ports.clock.now()))) return false;
  // Its verdict may have been corrected since.
  const before = observed.find(({ at }) => at.getTime() === seen?.at.getTime()) ?? seen;
  if (before === null || isSameState(before, after)) {
    await ports.watches.note(watch, after, null);
    return false;
  }
  const id = `evt_${keyedHash(['event', watch.id, String(watch.version), after.receiptId], ports.secret)}`;
  const body = ports.render(id, watch, { before, after });
  return ports.watches.note(watch, after, { id, watchId: watch.id, body });
}
