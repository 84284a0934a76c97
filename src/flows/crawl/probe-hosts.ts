import { signal } from '../../core/concurrency/signal.ts';
import { singleFlight } from '../../core/concurrency/single-flight.ts';
import { findingsKeeper, HOLD_MS } from './keep-findings.ts';
import { type ProbeHostParts, probeHost } from './probe-host.ts';

export interface ProbeHostsParts extends ProbeHostParts {
  /** Hosts that are probed at the same time. */
  readonly hostsAtOnce: number;
}

/** Hosts of a worker that died are free after their lease. */
const LOOK_AGAIN_MS = 1_000;

/** Works on hosts until none is left, or until it is stopped. Any number of workers may do this for one run. */
export async function probeHosts(runId: string, owner: string, parts: ProbeHostsParts): Promise<void> {
  const keeper = findingsKeeper({ runId, owner }, parts);
  const active = new Set<string>();
  const faults: unknown[] = [];
  const note = (fault: unknown) => void faults.push(fault);
  const isStopped = () => faults.length > 0 || parts.isStopped();
  const pausing = singleFlight<'pause', void>();
  const pause = () => pausing('pause', () => parts.wait(LOOK_AGAIN_MS));
  const ended = signal();
  for (;;) {
    const room = isStopped() ? 0 : parts.hostsAtOnce - active.size;
    const from = parts.stopwatch();
    const taken = room > 0 ? await parts.work.take(runId, owner, room, HOLD_MS).catch(note) : [];
    for (const { host, left } of taken ?? []) {
      // A worker may take its own host again when its lease ran out.
      if (active.has(host)) continue;
      const held = { hold: { runId, host, owner }, left, heldUntil: from + HOLD_MS };
      active.add(host);
      void probeHost(held, keeper, { ...parts, isStopped })
        .catch(note)
        .finally(() => {
          active.delete(host);
          ended.fire();
        });
    }
    if (active.size > 0) {
      await Promise.race([ended.next(), pause()]);
      continue;
    }
    if (faults.length > 0) throw faults[0];
    if (parts.isStopped() || (await parts.work.progress(runId)).urlsLeft === 0) return;
    if (taken?.length === 0) await pause();
  }
}
