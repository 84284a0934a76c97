import { createHostSlots } from '../../src/flows/check/host-slots.ts';
import type { PlaceParts } from '../../src/flows/place-at-target.ts';
import { createProbeOnce, type ProbeOnce } from '../../src/flows/probe-once.ts';
import { ENTRY, paywall } from '../../tools/samples/challenge.ts';
import { target } from '../../tools/samples/listed.ts';
import { memoryPlaces } from './memory-places.ts';
import { memoryCounters, memoryProbeCache } from './storing/memory-stores.ts';

export const NOON = new Date('2026-11-15T12:00:10.000Z');

/** Two processes on one store; every probe ends when it is told to. */
export function probeFleet(changes: Partial<PlaceParts> = {}) {
  const shared = memoryPlaces();
  const [cache, counters] = [memoryProbeCache(), memoryCounters()];
  const sent: string[] = [];
  const answers: (() => void)[] = [];
  const process = (): Ask => {
    const probeOnce = createProbeOnce({
      prober: {
        probe: ({ target: { normalized } }) => {
          sent.push(normalized);
          return new Promise((resolve) => answers.push(() => resolve(paywall([ENTRY]))));
        },
      },
      cache,
      counters,
      slots: createHostSlots({ perHost: 3, total: 100 }),
      ...shared.parts,
      ...changes,
      now: () => NOON,
      keyOf: (text) => `hash of ${text}`,
      probesPerHostMinute: 30,
    });
    return (path) => probeOnce({ target: target(`https://a.example/${path}`), method: 'GET' });
  };
  const until = async (count: number) => {
    while (sent.length < count) await new Promise((done) => setImmediate(done));
  };
  return { ...shared, cache, counters, sent, answers, one: process(), two: process(), until };
}

type Ask = (path: string) => ReturnType<ProbeOnce>;
