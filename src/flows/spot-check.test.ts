import { describe, expect, it } from 'vitest';
import { target } from '../../tools/samples/listed.ts';
import type { LiveReceipt } from '../core/receipt/live-receipt.ts';
import { publicWeb } from '../core/url/gate.ts';
import { publicAddresses } from '../core/url/public-address.ts';
import { createAdmit } from './admit.ts';
import { type SpotCheckParts, spotCheck } from './spot-check.ts';

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

/** A target that never answers, on counters whose give-back fails so many times. */
function world(failures: number) {
  const stored: LiveReceipt[] = [];
  const state = { used: 0, failures };
  const now = () => NOON;
  const parts: SpotCheckParts = {
    now,
    secret: 'secret',
    pricedProbesPerHour: 60,
    paidChecksPerHour: 30,
    boughtBefore: async () => null,
    chargeFor: () => Promise.reject(new Error('nobody pays here')),
    counters: {
      reserve: () => Promise.reject(new Error('nobody pays here')),
      used: async () => [],
      giveBack: async () => {},
      prune: async () => 0,
    },
    quotes: { remember: async () => {}, isOpen: async () => false, prune: async () => 0 },
    keyOf: (text) => text,
    entropy: (bytes) => new Uint8Array(bytes),
    policy: publicWeb({ addresses: publicAddresses([]), ownHosts: new Set() }),
    runs: { inLatestRun: async () => null },
    findProbe: async () => null,
    probeOnce: async () => ({
      kind: 'probe',
      observation: { kind: 'timed_out' },
      probedAt: NOON,
      spelling: '',
      cached: false,
    }),
    receipts: {
      add: async (receipt) => {
        stored.push(receipt);
      },
      byId: async () => null,
      page: async () => [],
      latestOf: async () => [],
    },
    admit: createAdmit({
      now,
      secret: 'secret',
      ceilings: { lookup: 9, spot_check: 9, dry_run: 9 },
      counters: {
        reserve: async () => {
          state.used += 1;
          return { granted: true, used: [state.used, state.used] };
        },
        used: async () => [],
        giveBack: async () => {
          state.failures -= 1;
          if (state.failures >= 0) throw new Error('the store is down');
          state.used -= 1;
        },
        prune: async () => 0,
      },
    }),
  };
  return { parts, stored, state };
}

describe('a free check of a target that cannot be heard', () => {
  const caller = { address: '192.0.2.1', client: null };

  it('is given back and leaves its receipt', async () => {
    const { parts, stored, state } = world(0);
    expect(await spotCheck(REQUEST, caller, null, parts)).toMatchObject({ kind: 'free', quota: { used: 0 } });
    expect([stored.length, state.used]).toEqual([1, 0]);
  });

  it('leaves no receipt when it cannot be given back, and is tried once more (G06, G55)', async () => {
    const { parts, stored, state } = world(1);
    await expect(spotCheck(REQUEST, caller, null, parts)).rejects.toThrow('the store is down');
    expect([stored.length, state.used]).toEqual([0, 0]);
  });
});
