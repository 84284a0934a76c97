import { createKeyedSlots } from '../../../src/core/concurrency/keyed-slots.ts';
import type { ProbeOutcome } from '../../../src/core/verdict/probe-outcome.ts';
import { createAddressSlots } from '../../../src/flows/check/own-slots.ts';
import { createFindProbe, createProbeOnce, type ProbeOptions } from '../../../src/flows/check/probe-once.ts';
import type { ProbeRequest } from '../../../src/ports/prober.ts';
import { ENTRY, paywall } from '../../../tools/samples/challenge.ts';
import { target } from '../../../tools/samples/listed.ts';
import { anywhere } from '../../../tools/samples/placed.ts';
import { memoryChecks } from '../storing/memory-checks.ts';
import { ANY_PROBE, NOON, type ProbeEnd } from './probe-fleet.ts';

/** The budget of https://a.example in the minute of noon. */
export const MINUTE = { key: 'probes:hash of a.example:443', window: '2026-11-15T12:00', limit: 30 };

/** One process that probes, on a store in memory. */
export function probeWorld(
  outcome: () => Promise<ProbeOutcome> = async () => paywall([ENTRY]),
  perMinute = MINUTE.limit,
) {
  const sent: string[] = [];
  const state = { now: NOON };
  const { parts, ...stored } = memoryChecks();
  const reuse = { cache: parts.cache, now: () => state.now, keyOf: (text: string) => `hash of ${text}` };
  const probeOnce = createProbeOnce({
    ...parts,
    ...reuse,
    prober: {
      locate: anywhere,
      probe: ({ target: { normalized }, method }) => {
        sent.push(`${method} ${normalized}`);
        return outcome();
      },
    },
    slots: createKeyedSlots({ perKey: 3, total: 100 }),
    addressSlots: createAddressSlots(24),
    probesPerHostMinute: perMinute,
  });
  /** A probe as its caller sees it, with whose it is. */
  const ask = async (request: ProbeRequest, options: Partial<ProbeOptions<ProbeEnd>> = {}) => {
    const result = await probeOnce(request, { ...ANY_PROBE, ...options });
    if (result.kind === 'probed') return { kind: 'probe', cached: false, ...result.end.probe };
    return result.kind === 'reused' ? { kind: 'probe', cached: true, ...result.probe } : result;
  };
  const get = (url: string, options: Partial<ProbeOptions<ProbeEnd>> = {}) =>
    ask({ target: target(url), method: 'GET' }, options);
  return { ...stored, sent, state, ask, findProbe: createFindProbe(reuse), get };
}
