import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Place } from '../../ports/prober.ts';
import type { SlotHolder, TargetSlots } from '../../ports/target-slots.ts';
import { crawlAddresses } from './crawl-addresses.ts';

const LEASE = { leaseMs: 20_000, leastLeaseMs: 12_000 };
const at = (...addresses: string[]): Place => ({ kind: 'located', host: 'a', addresses, leftMs: 5_000 });

/** Slots in memory, without time. */
function memorySlots(): TargetSlots & { readonly taken: Map<string, SlotHolder> } {
  const taken = new Map<string, SlotHolder>();
  const own = ({ targetKey, holder }: SlotHolder) =>
    [...taken].filter(([, one]) => one.targetKey === targetKey && one.holder === holder);
  return {
    taken,
    async hold(holder, { most, upTo }) {
      for (let slot = 1; slot <= upTo && own(holder).length < most; slot += 1) {
        const name = `${holder.targetKey} ${slot}`;
        if (!taken.has(name)) taken.set(name, holder);
      }
      return own(holder).length;
    },
    async free(holder) {
      for (const [name] of own(holder)) taken.delete(name);
    },
    prune: async () => 0,
  };
}

function worldOf(workers: number) {
  const slots = memorySlots();
  const clock = { ms: 0 };
  const ports = {
    slots,
    keyOf: (text: string) => text,
    stopwatch: () => clock.ms,
    async wait(ms: number) {
      await new Promise((done) => setImmediate(done));
      clock.ms += ms;
    },
  };
  const owners = Array.from({ length: workers }, (_, n) => crawlAddresses(`worker ${n}`, LEASE, ports));
  return { slots, owners };
}

describe('the slots of the crawl at an address (G101)', () => {
  it('300 hosts on one address never have more than the bound in flight, and all get their turn', async () => {
    const setting = fc.record({
      workers: fc.integer({ min: 1, max: 4 }),
      addresses: fc.integer({ min: 1, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(setting, async ({ workers, addresses }) => {
        const { slots, owners } = worldOf(workers);
        const inFlight = new Map<string, number>();
        const most = new Map<string, number>();
        let done = 0;
        const count = (key: string, by: number) => {
          inFlight.set(key, (inFlight.get(key) ?? 0) + by);
          most.set(key, Math.max(most.get(key) ?? 0, inFlight.get(key) ?? 0));
        };
        const hosts = Array.from({ length: 300 }, async (_, n) => {
          const [worker, address] = [n % workers, `1.1.1.${n % addresses}`];
          const host = owners[worker]?.open();
          const leave = await host?.enter(at(address), async () => true);
          const keys = [address, `${worker} ${address}`];
          for (const key of keys) count(key, 1);
          await new Promise((soon) => setImmediate(soon));
          for (const key of keys) count(key, -1);
          leave?.();
          await host?.close();
          done += 1;
        });
        await Promise.all(hosts);
        expect(done).toBe(300);
        for (const [key, highest] of most) expect(highest).toBeLessThanOrEqual(key.includes(' ') ? 4 : 8);
        expect(slots.taken.size).toBe(0);
      }),
      { numRuns: 8 },
    );
  });

  it('are held at every address of a place, and freed with the last host on it', async () => {
    const { slots, owners } = worldOf(1);
    const [one, two] = [owners[0]?.open(), owners[0]?.open()];
    await one?.enter(at('1.1.1.1', '2606:4700::1'), async () => true);
    await two?.enter(at('1.1.1.1'), async () => true);
    expect(slots.taken.size).toBe(8);
    await one?.close();
    expect([...slots.taken.values()].map(({ targetKey }) => targetKey)).toEqual(
      Array<string>(4).fill('address 1.1.1.1'),
    );
    await two?.close();
    expect(slots.taken.size).toBe(0);
  });

  it('takes none where there is no address, and none when nothing may begin', async () => {
    const { slots, owners } = worldOf(1);
    const host = owners[0]?.open();
    const nowhere: Place = { kind: 'nowhere', outcome: { kind: 'timed_out' } };
    expect(await host?.enter(nowhere, async () => false)).not.toBeNull();
    expect(await host?.enter(at('1.1.1.1'), async () => false)).toBeNull();
    expect(slots.taken.size).toBe(0);
  });
});
