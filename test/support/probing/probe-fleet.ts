import { createKeyedSlots } from '../../../src/core/concurrency/keyed-slots.ts';
import { createAddressSlots } from '../../../src/flows/check/own-slots.ts';
import {
  createProbeOnce,
  type ProbeOnceResult,
  type ProbeOptions,
} from '../../../src/flows/check/probe-once.ts';
import type { CheckEnd } from '../../../src/ports/check-writes.ts';
import type { StoredProbe } from '../../../src/ports/probe-cache.ts';
import { ENTRY, paywall } from '../../../tools/samples/challenge.ts';
import { target } from '../../../tools/samples/listed.ts';
import { anywhere } from '../../../tools/samples/placed.ts';
import { memoryChecks } from '../storing/memory-checks.ts';

export const NOON = new Date('2026-11-15T12:00:10.000Z');

/** Concludes with the probe itself, and leaves nothing behind. */
export interface ProbeEnd extends CheckEnd {
  readonly probe: StoredProbe;
}

/** A caller that takes any probe and has no quota. */
export const ANY_PROBE: ProbeOptions<ProbeEnd> = {
  stored: null,
  isUsable: () => true,
  asker: { by: null, mayUseReserve: true },
  counters: [],
  refunds: [],
  conclude: (probe) => ({ probe, kept: null, givenBack: [] }),
};

/** Two processes on one store; every probe ends when it is told to. */
export function probeFleet() {
  const shared = memoryChecks();
  const sent: string[] = [];
  const answers: (() => void)[] = [];
  const process = (): Ask => {
    const probeOnce = createProbeOnce({
      prober: {
        locate: anywhere,
        probe: ({ target: { normalized } }) => {
          sent.push(normalized);
          return new Promise((resolve) => answers.push(() => resolve(paywall([ENTRY]))));
        },
      },
      slots: createKeyedSlots({ perKey: 3, total: 100 }),
      addressSlots: createAddressSlots(24),
      ...shared.parts,
      checks: shared.checks,
      now: () => NOON,
      keyOf: (text) => `hash of ${text}`,
      probesPerHostMinute: 30,
    });
    return (path, options = {}) =>
      probeOnce({ target: target(`https://a.example/${path}`), method: 'GET' }, { ...ANY_PROBE, ...options });
  };
  const until = async (count: number) => {
    while (sent.length < count) await new Promise((done) => setImmediate(done));
  };
  return { ...shared, sent, answers, one: process(), two: process(), until };
}

type Ask = (path: string, options?: Partial<ProbeOptions<ProbeEnd>>) => Promise<ProbeOnceResult<ProbeEnd>>;
