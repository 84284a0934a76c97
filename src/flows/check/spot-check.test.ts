import { describe, expect, it } from 'vitest';
import { useChargingWorlds } from '../../../test/support/paying/charging-world.ts';
import { memoryChecks } from '../../../test/support/storing/memory-checks.ts';
import { target } from '../../../tools/samples/listed.ts';
import { anywhere } from '../../../tools/samples/placed.ts';
import { freeUse } from '../../core/access/quota.ts';
import { createKeyedSlots } from '../../core/concurrency/keyed-slots.ts';
import { publicWeb } from '../../core/url/gate.ts';
import { publicAddresses } from '../../core/url/public-address.ts';
import { createAddressSlots } from './own-slots.ts';
import { createFindProbe, createProbeOnce } from './probe-once.ts';
import { type SpotCheckPorts, spotCheck } from './spot-check.ts';

const charging = useChargingWorlds();
const NOON = new Date('2026-11-15T12:00:00.000Z');
const REQUEST = {
  target: target('https://a.example/x'),
  method: 'GET',
  mode: 'live',
  claim: { price: null, payTo: null, network: null },
  ref: null,
  task: null,
  selfTest: false,
} as const;

const BUYER = {
  caller: { address: '192.0.2.1', client: null },
  offered: { kind: 'none' },
  render: () => '',
} as const;

/** A target that never answers, on a store whose second commit fails so many times. */
async function world(failures: number) {
  const { parts, checks, counters, receipts } = memoryChecks();
  const state = { failures };
  const { finish } = checks;
  checks.finish = async (...end) => {
    state.failures -= 1;
    if (state.failures >= 0) throw new Error('the store is down');
    await finish(...end);
  };
  const clock = { now: () => NOON, wait: async () => {}, stopwatch: () => 0 };
  const reuse = { cache: parts.cache, now: clock.now, keyOf: (text: string) => text };
  const probeOnce = createProbeOnce({
    ...parts,
    ...reuse,
    prober: { locate: anywhere, probe: async () => ({ kind: 'timed_out' }) },
    slots: createKeyedSlots({ perKey: 3, total: 100 }),
    addressSlots: createAddressSlots(24),
    probesPerHostMinute: 30,
  });
  const ports: SpotCheckPorts = {
    clock,
    checks,
    pricedProbesPerHour: 60,
    paidChecksPerHour: 30,
    payments: { ...(await charging()).ports, payTo: null, secret: 'secret', copies: { take: () => null } },
    quotes: { remember: async () => {}, isOpen: async () => false, prune: async () => 0 },
    keyOf: reuse.keyOf,
    entropy: (bytes) => new Uint8Array(bytes),
    policy: publicWeb({ addresses: publicAddresses([]), ownHosts: new Set() }),
    runs: { inLatestRun: async () => null },
    catalogListings: async () => [],
    findProbe: createFindProbe(reuse),
    probeOnce,
    receipts: {
      add: async () => {},
      byId: async () => null,
      statement: async () => null,
      statements: async () => new Map(),
      page: async () => [],
      latestOf: async () => [],
      latestAsked: async () => [],
    },
    quota: {
      clock,
      secret: 'secret',
      ceilings: { lookup: 9, spot_check: 9, dry_run: 9 },
      counters,
    },
  };
  const use = { metered: 'spot_check', caller: BUYER.caller, ref: null, now: NOON } as const;
  const used = async () => (await counters.used([freeUse(use, ports.quota).caller]))[0];
  return { ports, receipts, used };
}

describe('a free check of a target that cannot be heard', () => {
  it('is given back and leaves its receipt', async () => {
    const { ports, receipts, used } = await world(0);
    expect(await spotCheck(REQUEST, BUYER, ports)).toMatchObject({ kind: 'free', quota: { used: 0 } });
    expect([receipts.length, await used()]).toEqual([1, 0]);
  });

  it('leaves no receipt when it cannot be written down, and is given back all the same (G06, G55)', async () => {
    const { ports, receipts, used } = await world(1);
    await expect(spotCheck(REQUEST, BUYER, ports)).rejects.toThrow('the store is down');
    expect([receipts.length, await used()]).toEqual([0, 0]);
  });
});
