import { PROBES_IN_FLIGHT_PER_ADDRESS, PROBES_IN_FLIGHT_PER_HOST } from '../../../src/core/limits.ts';
import type { CheckEnd, CheckWrites, KeptReceipt, ProbeStart } from '../../../src/ports/check-writes.ts';
import { memoryCounters, memoryOpenEndpoints, memoryProbeCache } from './memory-stores.ts';

interface Held extends ProbeStart {
  readonly until: number;
}

/** The writes of a check in memory, on a clock that moves when somebody waits; test/contract holds the real ones. */
export function memoryChecks() {
  const clock = { ms: 0 };
  const held: Held[] = [];
  const [cache, counters] = [memoryProbeCache(), memoryCounters()];
  const receipts: KeptReceipt[] = [];
  const waits: number[] = [];
  const ids = { last: 0 };
  const nameOf = ({ key: { method, urlKey } }: ProbeStart) => `${method} ${urlKey}`;
  const free = ({ targetKey, holder }: ProbeStart) => {
    const at = held.findIndex((each) => each.targetKey === targetKey && each.holder === holder);
    if (at !== -1) held.splice(at, 1);
  };
  const keep = async ({ kept, givenBack }: CheckEnd) => {
    if (kept !== null) receipts.push(kept);
    for (const counter of givenBack) await counters.giveBack(counter);
  };
  const checks: CheckWrites = {
    async start(start, leaseMs) {
      const live = held.filter((each) => each.targetKey === start.targetKey && each.until > clock.ms);
      if (live.some((each) => nameOf(each) === nameOf(start))) return { kind: 'in_flight' };
      const atAddress = (key: string) =>
        held.filter(({ addressKeys, until }) => until > clock.ms && addressKeys.includes(key)).length;
      const isFull = start.addressKeys.some((key) => atAddress(key) >= PROBES_IN_FLIGHT_PER_ADDRESS);
      if (isFull || live.length >= PROBES_IN_FLIGHT_PER_HOST) return { kind: 'full' };
      const known = cache.kept.get(nameOf(start));
      if (known !== undefined && known.probedAt > start.newerThan) {
        return { kind: 'known', probedAt: known.probedAt };
      }
      held.push({ ...start, until: clock.ms + leaseMs });
      const { granted, used } = await counters.reserve(start.counters);
      if (!granted) free(start);
      return { kind: granted ? 'started' : 'exhausted', used };
    },
    async finish(start, probe, end) {
      await cache.keep(start.key, probe);
      await keep(end);
      free(start);
    },
    async abandon(start, givenBack) {
      for (const counter of givenBack) await counters.giveBack(counter);
      free(start);
    },
    async record(uses, end) {
      const reserved = await counters.reserve(uses);
      if (reserved.granted) await keep(end);
      return reserved;
    },
  };
  const parts = {
    checks,
    cache,
    counters,
    openEndpoints: memoryOpenEndpoints(),
    newHolder: () => `holder-${++ids.last}`,
    stopwatch: () => clock.ms,
    async wait(milliseconds: number) {
      await new Promise((done) => setImmediate(done));
      clock.ms += milliseconds;
      waits.push(milliseconds);
    },
  };
  return { clock, held, cache, counters, receipts, waits, checks, parts };
}
