import { expect } from 'vitest';
import { freeUse, type Metered } from '../../../src/core/access/quota.ts';
import { createKeyedSlots } from '../../../src/core/concurrency/keyed-slots.ts';
import { publicWeb } from '../../../src/core/url/gate.ts';
import { publicAddresses } from '../../../src/core/url/public-address.ts';
import type { ProbeOutcome } from '../../../src/core/verdict/probe-outcome.ts';
import type { CheckRequest } from '../../../src/flows/check/check-request.ts';
import { type CountedCheckPorts, countedCheck } from '../../../src/flows/check/counted-check.ts';
import { createAddressSlots } from '../../../src/flows/check/own-slots.ts';
import { createFindProbe, createProbeOnce } from '../../../src/flows/check/probe-once.ts';
import { readKnown } from '../../../src/flows/check/read-known.ts';
import type { CheckWrites } from '../../../src/ports/check-writes.ts';
import type { LocatingProber } from '../../../src/ports/prober.ts';
import type { Vantages } from '../../../src/ports/vantages.ts';
import { ENTRY, paywall } from '../../../tools/samples/challenge.ts';
import { target } from '../../../tools/samples/listed.ts';
import { anywhere } from '../../../tools/samples/placed.ts';
import { memoryChecks } from '../storing/memory-checks.ts';

const NOON = new Date('2026-11-15T12:00:00.000Z');
export const REQUEST: CheckRequest = {
  target: target('https://a.example/x'),
  method: 'GET',
  mode: 'live',
  claim: { price: null, payTo: null, network: null },
  ref: null,
  task: null,
  selfTest: false,
};

export function useOf(client: string | null, metered: Metered = 'spot_check') {
  const caller = { address: '192.0.2.1', client };
  const ceilings = { lookup: 9, spot_check: 9, dry_run: 9 };
  return freeUse({ metered, caller, ref: null, now: NOON }, { secret: 'secret', ceilings });
}

/** Counted checks of a target that always answers the same, on a store in memory. */
export function countedWorld(
  outcome: ProbeOutcome = paywall([ENTRY]),
  vantages?: Vantages,
  locate: LocatingProber['locate'] = anywhere,
) {
  const { parts, checks, ...stored } = memoryChecks();
  const calls: string[] = [];
  const state = { sent: 0, ids: 0 };
  const counted = Object.fromEntries(
    Object.entries(checks).map(([name, write]: [string, (...args: never[]) => Promise<unknown>]) => [
      name,
      (...args: never[]) => {
        calls.push(name);
        return write(...args);
      },
    ]),
  ) as unknown as CheckWrites; // The same methods, wrapped.
  const reuse = { cache: parts.cache, now: () => NOON, keyOf: (text: string) => text };
  const prober = {
    locate,
    async probe() {
      state.sent += 1;
      await new Promise((done) => setImmediate(done));
      return outcome;
    },
  };
  const others = vantages === undefined ? {} : { vantages };
  const ports: CountedCheckPorts = {
    ...others,
    probeOnce: createProbeOnce({
      ...parts,
      ...others,
      ...reuse,
      prober,
      checks: counted,
      slots: createKeyedSlots({ perKey: 3, total: 100 }),
      addressSlots: createAddressSlots(24),
      probesPerHostMinute: 30,
    }),
    findProbe: createFindProbe(reuse),
    checks: counted,
    keyOf: reuse.keyOf,
    runs: { inLatestRun: async () => null },
    catalogListings: async () => [],
    policy: publicWeb({ addresses: publicAddresses([]), ownHosts: new Set() }),
    clock: { now: () => NOON },
    entropy: (bytes) => new Uint8Array(bytes).fill(++state.ids),
    receipts: {
      add: async () => expect.fail('a receipt is kept with its check'),
      byId: async () => null,
      statement: async () => null,
      statements: async () => new Map(),
      page: async () => [],
      latestOf: async () => [],
      latestAsked: async () => [],
    },
  };
  const check = async (use: ReturnType<typeof useOf> | null, request = REQUEST) =>
    countedCheck(request, use, await readKnown(request, ports), ports);
  return { ...stored, ports, calls, state, check };
}
