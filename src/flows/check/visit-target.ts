import { secondsToNextUtcMinute } from '../../core/access/utc-window.ts';
import type { TargetUrl } from '../../core/url/target-url.ts';
import type { Place } from '../../ports/prober.ts';
import { inOwnSlots } from './own-slots.ts';
import { startAt } from './place-start.ts';
import type { ProbeOncePorts } from './probe-once.ts';
import { startProbe, type TargetBusy } from './start-probe.ts';
import type { Asker } from './target-budget.ts';

export type VisitPorts = Omit<ProbeOncePorts, 'cache'>;

export type Visit<T> = { readonly kind: 'visited'; readonly value: T } | TargetBusy;

/** A request to a target that is no probe: it takes the same slots and counts in the same minute (gap G101). Keeps nothing. */
export type VisitTarget = <T>(
  target: TargetUrl,
  asker: Asker,
  work: (place: Place) => Promise<T>,
) => Promise<Visit<T>>;

export function createVisitTarget(ports: VisitPorts): VisitTarget {
  return (target, asker, work) =>
    inOwnSlots(target, asker, (place) => visitPlace({ target, asker, place, work }, ports), ports);
}

interface PlacedVisit<T> {
  readonly target: TargetUrl;
  readonly asker: Asker;
  readonly place: Place;
  readonly work: (place: Place) => Promise<T>;
}

async function visitPlace<T>(
  { target, asker, place, work }: PlacedVisit<T>,
  ports: VisitPorts,
): Promise<Visit<T>> {
  const now = ports.now();
  // A key of its own: two visits of one file follow each other, and a probe of the file is no visit.
  const key = { urlKey: ports.keyOf(`visit ${target.normalized}`), method: 'GET' } as const;
  const { start } = startAt(place, { target, asker, key, newerThan: now, counters: [] }, ports);
  const started = await startProbe(start, async () => null, ports);
  switch (started.kind) {
    case 'rate_limited':
      return started;
    case 'exhausted':
      ports.onRefused?.('target_budget');
      return { kind: 'rate_limited', retryAfterSeconds: secondsToNextUtcMinute(now) };
    case 'found':
      throw new Error('a visit keeps nothing that could be found');
    case 'started':
      try {
        return { kind: 'visited', value: await work(place) };
      } finally {
        // The request may have been sent, so the target's minute stays counted.
        await ports.checks.abandon(start, []);
      }
  }
}
