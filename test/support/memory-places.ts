import { decidePlace, type LivePlace } from '../../src/core/access/place-decision.ts';
import type { PlaceParts } from '../../src/flows/place-at-target.ts';
import type { AskedPlace, ProbePlaces } from '../../src/ports/probe-places.ts';

interface Held extends LivePlace, Pick<AskedPlace, 'hostKey' | 'holder'> {
  readonly until: number;
}

/** Places in memory for flows under test, on a clock that moves when somebody waits; test/contract holds the real ones. */
export function memoryPlaces() {
  const clock = { ms: 0 };
  const held: Held[] = [];
  const lanes = new Map<string, number>();
  const wanted: string[] = [];
  const faults: unknown[] = [];
  const waits: number[] = [];
  const ids = { last: 0 };
  const liveAt = (hostKey: string) =>
    held.filter((each) => each.hostKey === hostKey && each.until > clock.ms);
  const places: ProbePlaces = {
    async take({ host, ...asked }, leaseMs) {
      const answer = decidePlace(asked, liveAt(asked.hostKey), lanes.get(host) ?? 0);
      if (answer === 'taken') held.push({ ...asked, until: clock.ms + leaseMs });
      if (answer === 'crawled') wanted.push(host);
      return answer;
    },
    async giveBack({ hostKey, holder }) {
      const at = held.findIndex((each) => each.hostKey === hostKey && each.holder === holder);
      if (at !== -1) held.splice(at, 1);
    },
    liveAt: async (hostKeys) => hostKeys.map((hostKey) => liveAt(hostKey).length),
    prune: async () => 0,
  };
  const parts: PlaceParts = {
    places,
    newHolder: () => `holder-${++ids.last}`,
    stopwatch: () => clock.ms,
    async wait(milliseconds) {
      await new Promise((done) => setImmediate(done));
      clock.ms += milliseconds;
      waits.push(milliseconds);
    },
    onLateFault: (fault) => void faults.push(fault),
  };
  return { clock, held, lanes, wanted, faults, waits, places, parts };
}
