import { signal } from '../../core/concurrency/signal.ts';
import { singleFlight } from '../../core/concurrency/single-flight.ts';
import { crawlAddresses } from './crawl-addresses.ts';
import type { ProbePorts } from './crawl-ports.ts';
import { findingsKeeper, HOLD_MS } from './keep-findings.ts';
import { leaseTimes, probeHost } from './probe-host.ts';

/** Polling interval for hosts of dead workers, which are free after their lease. */
const LOOK_AGAIN_MS = 1_000;

/** Probes hosts until none is left, or until it is stopped. Any number of workers may work on one run. */
export async function probeHosts(runId: string, owner: string, ports: ProbePorts): Promise<void> {
  const keeper = findingsKeeper({ runId, owner }, ports.work, ports);
  const addresses = crawlAddresses(owner, leaseTimes(ports), ports);
  const active = new Set<string>();
  const faults: unknown[] = [];
  const note = (fault: unknown) => void faults.push(fault);
  const isStopped = () => faults.length > 0 || ports.isStopped();
  const pausing = singleFlight<'pause', void>();
  const pause = () => pausing('pause', () => ports.wait(LOOK_AGAIN_MS));
  const ended = signal();
  for (;;) {
    const room = isStopped() ? 0 : ports.hostsAtOnce - active.size;
    const from = ports.stopwatch();
    const taken = room > 0 ? await ports.work.take(runId, owner, room, HOLD_MS).catch(note) : [];
    for (const { host, left } of taken ?? []) {
      // A worker may take its own host again when its lease ran out.
      if (active.has(host)) continue;
      const held = { hold: { runId, host, owner }, left, heldUntil: from + HOLD_MS };
      active.add(host);
      void probeHost(held, keeper, addresses, { ...ports, isStopped })
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
    if (ports.isStopped() || (await ports.work.progress(runId)).urlsLeft === 0) return;
    if (taken?.length === 0) await pause();
  }
}
