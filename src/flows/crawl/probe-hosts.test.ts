import { describe, expect, it } from 'vitest';
import { crawlWorkOf } from '../../../test/support/crawling/memory-crawl-work.ts';
import { probeHosts } from './probe-hosts.ts';

describe('working on hosts', () => {
  it('keeps what a request found before the next one begins, so that a crash repeats two for each host', async () => {
    const { parts, state, writes } = crawlWorkOf({ a: 50, b: 50, c: 2 }, { hostsAtOnce: 2 });
    writes.hold();
    const working = probeHosts('run', 'me', parts);
    await state.quiet();
    expect([state.begun.length, state.done.length]).toEqual([4, 0]);
    expect(state.begun.map((url) => new URL(url).hostname).sort()).toEqual([
      ...['a.example', 'a.example'],
      ...['b.example', 'b.example'],
    ]);
    writes.letGo();
    await working;
    expect(state.mostUnkept).toBe(4);
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

  it('stops at a host that was lost while it was probed, with at most two requests wasted', async () => {
    const { parts, state } = crawlWorkOf({ a: 9 }, { isLostOnWrite: true });
    await probeHosts('run', 'me', parts);
    expect([state.begun.length, state.done]).toEqual([2, []]);
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

  it('holds two slots of every target for as long as it has the host, and frees them', async () => {
    const { parts, state } = crawlWorkOf({ a: 40, b: 40 });
    await probeHosts('run', 'me', parts);
    const targets = ['a.example:443', 'b.example:443'];
    expect([state.held.toSorted(), state.freed.toSorted()]).toEqual([targets, targets]);
    expect([state.mostInFlight, state.done.length]).toEqual([4, 80]);
  });

  it.each([
    [1, 2],
    [2, 1],
  ])('leaves %i callers their slots, and has %i in flight (G76)', async (callers, most) => {
    const { parts, state } = crawlWorkOf({ a: 12 }, { callers });
    await probeHosts('run', 'me', parts);
    expect([state.mostInFlight, state.done.length]).toEqual([most, 12]);
  });

  it('waits for callers who have all slots, and goes on when they are gone', async () => {
    const { parts, state } = crawlWorkOf({ a: 9 }, { callers: 3 });
    const wait = async (ms: number) => {
      await parts.wait(1);
      state.lateMs += ms;
      if (state.lateMs < 30_000) expect(state.begun).toEqual([]);
      else state.callers = 0;
    };
    await probeHosts('run', 'me', { ...parts, wait });
    expect([state.mostInFlight, state.done.length, state.freed]).toEqual([2, 9, ['a.example:443']]);
    // The host is not lost while its worker waits.
    expect(state.renewed).toBeGreaterThan(1);
  });

  it('ends when it is stopped while it waits for a slot', async () => {
    const { parts, state } = crawlWorkOf({ a: 9 }, { callers: 3 });
    const stop = { now: false };
    const wait = async () => {
      await parts.wait(1);
      stop.now = state.held.length > 0;
    };
    await probeHosts('run', 'me', { ...parts, wait, isStopped: () => stop.now });
    expect([state.begun, state.released, state.freed]).toEqual([[], ['a.example'], ['a.example:443']]);
  });

  it('frees the slots of a host whose work failed', async () => {
    const { parts, state } = crawlWorkOf({ a: 9 }, { brokenWrite: 1 });
    await expect(probeHosts('run', 'me', parts)).rejects.toThrow('the disk is full');
    expect(state.freed).toEqual(['a.example:443']);
  });
});
