import { describe, expect, it } from 'vitest';
import { crawlWorkOf } from '../../../test/support/crawling/memory-crawl-work.ts';
import { probeHosts } from '../probe-hosts.ts';

describe('working on hosts', () => {
  it('keeps what a request found before the next one begins, so that a crash repeats three for each host', async () => {
    const { parts, state, writes } = crawlWorkOf({ a: 50, b: 50, c: 2 }, { hostsAtOnce: 2 });
    writes.hold();
    const working = probeHosts('run', 'me', parts);
    await state.quiet();
    expect([state.begun.length, state.done.length]).toEqual([6, 0]);
    expect(state.begun.map((url) => new URL(url).hostname).sort()).toEqual([
      ...['a.example', 'a.example', 'a.example'],
      ...['b.example', 'b.example', 'b.example'],
    ]);
    writes.letGo();
    await working;
    expect(state.mostUnkept).toBe(6);
    expect([state.begun.length, new Set(state.begun).size, state.done.length]).toEqual([102, 102, 102]);
  });

  it('writes what several hosts found in one transaction', async () => {
    const { parts, state } = crawlWorkOf({ a: 9, b: 9, c: 9, d: 9 });
    await probeHosts('run', 'me', parts);
    expect(state.hostsPerWrite).toContain(4);
    expect(state.hostsPerWrite.length).toBeLessThan(36);
  });

  it('asks for the URLs of a host as often as there are chunks, and lets go of no host that is done', async () => {
    const { parts, state } = crawlWorkOf({ a: 48, b: 1 });
    await probeHosts('run', 'me', parts);
    expect([state.chunksRead, state.released]).toEqual([3, []]);
  });

  it('has a host open for as long as it holds it', async () => {
    const { parts, state } = crawlWorkOf({ a: 4, b: 1 });
    await probeHosts('run', 'me', parts);
    expect([state.opened.toSorted(), state.closed.toSorted()]).toEqual([
      ['a.example', 'b.example'],
      ['a.example', 'b.example'],
    ]);
  });

  it.each<[string, number, number]>([
    ['long enough for two requests', 7_000, 0],
    ['too short by now', 8_000, 1],
  ])('begins a check only under a hold that outlives it: one that is %s', async (_, lateMs, renewals) => {
    const { parts, state } = crawlWorkOf({ a: 1 }, { lateMs });
    await probeHosts('run', 'me', parts);
    expect([state.renewed, state.begun.length]).toEqual([renewals, 1]);
  });

  it('begins nothing on a host that is somebody else’s by now', async () => {
    const { parts, state } = crawlWorkOf({ a: 9 }, { lateMs: 8_000, isLostOnRenewal: true });
    await probeHosts('run', 'me', parts);
    expect([state.begun, state.renewed]).toEqual([[], 1]);
  });

  it('stops at a host that was lost while it was probed, with at most three requests wasted', async () => {
    const { parts, state } = crawlWorkOf({ a: 9 }, { isLostOnWrite: true });
    await probeHosts('run', 'me', parts);
    expect([state.begun.length, state.done]).toEqual([3, []]);
  });

  it('gives a finding another id when its id is taken, and gives up at last (G54)', async () => {
    const twice = crawlWorkOf({ a: 1 }, { refusals: 2 });
    await probeHosts('run', 'me', twice.parts);
    expect(new Set(twice.state.ids).size).toBe(3);
    const forever = crawlWorkOf({ a: 1 }, { refusals: 99 });
    await expect(probeHosts('run', 'me', forever.parts)).rejects.toThrow('no free id');
    expect(forever.state.ids).toHaveLength(8);
  });

  it('ends with the fault of the store, after everything under way has ended', async () => {
    const { parts, state } = crawlWorkOf({ a: 90, b: 90 }, { brokenWrite: 3 });
    await expect(probeHosts('run', 'me', parts)).rejects.toThrow('the disk is full');
    const { length } = state.begun;
    expect(length).toBeLessThan(30);
    expect([state.inFlight, state.closed.length]).toEqual([0, 2]);
    await state.quiet();
    expect(state.begun).toHaveLength(length);
  });

  it('lets go of its hosts when it is stopped', async () => {
    const { parts, state } = crawlWorkOf({ a: 90, b: 90 });
    await probeHosts('run', 'me', { ...parts, isStopped: () => state.begun.length >= 12 });
    expect(state.released.toSorted()).toEqual(['a.example', 'b.example']);
    expect(state.done.length).toBe(state.begun.length);
  });

  it.each([
    [2, [1, 3], 1],
    [3, [0, 3], 0],
  ])(
    'leaves %i callers their places, and goes on with all lanes when they are gone (G76)',
    async (live, told, first) => {
      const { parts, state } = crawlWorkOf({ a: 40 }, { live });
      const wait = async (ms: number) => {
        await parts.wait(ms / 10);
        if (ms === 1_000) {
          expect(state.mostInFlight).toBe(state.lanes.length === 1 ? first : 3);
          state.live = 0;
        }
      };
      await probeHosts('run', 'me', { ...parts, wait });
      expect([state.lanes, state.mostInFlight, state.done.length]).toEqual([told, 3, 40]);
    },
  );

  it('lets a lane go idle when callers want one, and asks for that once a second for all hosts', async () => {
    const { parts, state } = crawlWorkOf({ a: 60, b: 60 });
    const wait = (ms: number) => parts.wait(ms / 10);
    state.isWanted = true;
    await probeHosts('run', 'me', { ...parts, wait });
    expect([state.lanes, state.done.length]).toEqual([[2, 2], 120]);
    expect(state.asked).toBeGreaterThan(0);
    expect(state.asked).toBeLessThan(10);
  });

  it('waits for callers who have all places, and ends when it is stopped meanwhile', async () => {
    const { parts, state } = crawlWorkOf({ a: 9 }, { live: 3 });
    const stop = { now: false };
    const wait = async (ms: number) => {
      await parts.wait(ms / 10);
      stop.now = ms === 1_000;
    };
    await probeHosts('run', 'me', { ...parts, wait, isStopped: () => stop.now });
    expect([state.begun, state.released]).toEqual([[], ['a.example']]);
  });
});
