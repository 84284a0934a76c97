import { describe, expect, it } from 'vitest';
import { memoryChecks } from '../../../test/support/storing/memory-checks.ts';
import { ENTRY, paywall } from '../../../tools/samples/challenge.ts';
import { target } from '../../../tools/samples/listed.ts';
import { anywhere } from '../../../tools/samples/placed.ts';
import { freeUse, type Metered } from '../../core/access/quota.ts';
import { createKeyedSlots } from '../../core/concurrency/keyed-slots.ts';
import { publicWeb } from '../../core/url/gate.ts';
import { publicAddresses } from '../../core/url/public-address.ts';
import type { ProbeOutcome } from '../../core/verdict/probe-outcome.ts';
import type { CheckWrites } from '../../ports/check-writes.ts';
import { createAddressSlots } from './address-slots.ts';
import type { CheckRequest } from './check-request.ts';
import { type CountedCheckPorts, countedCheck } from './counted-check.ts';
import { createFindProbe, createProbeOnce } from './probe-once.ts';
import { readKnown } from './read-known.ts';

const NOON = new Date('2026-11-15T12:00:00.000Z');
const REQUEST: CheckRequest = {
  target: target('https://a.example/x'),
  method: 'GET',
  mode: 'live',
  claim: { price: null, payTo: null, network: null },
  ref: null,
  task: null,
  selfTest: false,
};

function useOf(client: string | null, metered: Metered = 'spot_check') {
  const caller = { address: '192.0.2.1', client };
  const ceilings = { lookup: 9, spot_check: 9, dry_run: 9 };
  return freeUse({ metered, caller, ref: null, now: NOON }, { secret: 'secret', ceilings });
}

function world(outcome: ProbeOutcome = paywall([ENTRY])) {
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
    locate: anywhere,
    async probe() {
      state.sent += 1;
      await new Promise((done) => setImmediate(done));
      return outcome;
    },
  };
  const ports: CountedCheckPorts = {
    probeOnce: createProbeOnce({
      ...parts,
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
      latestSpelled: async () => [],
    },
  };
  const check = async (use: ReturnType<typeof useOf> | null, request = REQUEST) =>
    countedCheck(request, use, await readKnown(request, ports), ports);
  return { ...stored, ports, calls, state, check };
}

const TIMED_OUT: ProbeOutcome = { kind: 'timed_out' };

describe('a counted check', () => {
  it('writes twice around a new probe, and once for a reused one', async () => {
    const { check, calls, receipts, state } = world();
    const use = useOf('me', 'dry_run');
    expect(await check(use)).toMatchObject({ kind: 'counted', used: 1 });
    expect(calls.splice(0)).toEqual(['start', 'finish']);
    expect(await check(use)).toMatchObject({ kind: 'counted', used: 2 });
    expect(calls).toEqual(['record']);
    expect([receipts.length, state.sent]).toEqual([2, 1]);
  });

  it.each([
    ['a caller without a name', null],
    ['a named caller', 'me'],
  ])('is exhausted for %s with a new probe or a reused one, and leaves no receipt', async (_, client) => {
    const { check, receipts, state, counters } = world();
    const use = useOf(client);
    await check(use);
    expect(await check(use)).toEqual({ kind: 'exhausted', used: 1 });
    const elsewhere = { ...REQUEST, target: target('https://b.example/x') };
    expect(await check(use, elsewhere)).toEqual({ kind: 'exhausted', used: 1 });
    expect([receipts.length, state.sent]).toEqual([1, 1]);
    expect(await counters.used([use.caller, use.address])).toEqual([1, 1]);
  });

  it('is free once for 100 parallel calls of one client (G06)', async () => {
    const { check, receipts, counters } = world();
    const use = useOf('me');
    const results = await Promise.all(Array.from({ length: 100 }, () => check(use)));
    expect(results.filter(({ kind }) => kind === 'counted')).toHaveLength(1);
    expect(results.filter(({ kind }) => kind === 'exhausted')).toHaveLength(99);
    expect([receipts.length, await counters.used([use.caller, use.address])]).toEqual([1, [1, 1]]);
  });

  it('gives the use of the caller back when the target cannot be heard, again and again (G06)', async () => {
    const { check, receipts, counters, calls } = world(TIMED_OUT);
    const use = useOf('me');
    for (let time = 0; time < 3; time += 1)
      expect(await check(use)).toMatchObject({ kind: 'counted', used: 0 });
    expect(calls).toEqual(['start', 'finish', 'record', 'record']);
    // The address stays counted.
    expect([receipts.length, await counters.used([use.caller, use.address])]).toEqual([3, [0, 3]]);
  });

  it('counts a dry run whose target cannot be heard (G09)', async () => {
    const { check } = world(TIMED_OUT);
    const use = useOf('me', 'dry_run');
    expect(await check(use, { ...REQUEST, mode: 'dry-run' })).toMatchObject({ used: 1 });
  });

  it('that is blocked leaves no receipt and gives the use back, and then is not counted at all', async () => {
    const { check, receipts, counters, calls } = world({ kind: 'blocked' });
    const use = useOf('me');
    expect(await check(use)).toEqual({ kind: 'blocked' });
    expect(await check(use)).toEqual({ kind: 'blocked' });
    expect(calls).toEqual(['start', 'finish']);
    expect([receipts, await counters.used([use.caller, use.address])]).toEqual([[], [0, 1]]);
  });

  it('counts nothing without a use', async () => {
    const { check, receipts } = world();
    expect(await check(null)).toMatchObject({ kind: 'counted', used: 0 });
    expect(await check(null)).toMatchObject({ kind: 'counted', used: 0 });
    expect(receipts).toHaveLength(2);
  });
});
