import { describe, expect, it } from 'vitest';
import { probeStart } from '../../../test/support/probing/probe-start.ts';
import type { ProbeStart, StartAnswer } from '../../ports/check-writes.ts';
import type { StoredProbe } from '../../ports/probe-cache.ts';
import { LEASE_MS, startProbe } from './start-probe.ts';

const BUSY = { kind: 'rate_limited', retryAfterSeconds: 1 };
const STARTED: StartAnswer = { kind: 'started', used: [1] };
const at = (ms: number) => new Date(ms);
const probe = (ms: number): StoredProbe => ({
  observation: { kind: 'timed_out' },
  probedAt: at(ms),
  spelling: 'x',
});

/** A store that gives these answers, the last one for ever. */
function world(
  answers: StartAnswer[],
  { found = null as StoredProbe | null, startMs = 0, ticks = true } = {},
) {
  const clock = { ms: 0 };
  const asked: [ProbeStart, number][] = [];
  const waits: number[] = [];
  const refused: string[] = [];
  const run = () =>
    startProbe(probeStart('a/1', { newerThan: at(1_000) }), async () => found, {
      checks: {
        async start(start, leaseMs) {
          asked.push([start, leaseMs]);
          clock.ms += startMs;
          return answers[Math.min(asked.length, answers.length) - 1] ?? STARTED;
        },
      },
      stopwatch: () => (ticks ? clock.ms : 0),
      async wait(ms) {
        waits.push(ms);
        clock.ms += ms;
      },
      onRefused: (reason) => void refused.push(reason),
    });
  return { run, clock, asked, waits, refused };
}

describe('starting a probe', () => {
  it('asks for a lease and says when it began, not later than the store', async () => {
    const { run, asked } = world([STARTED], { startMs: 40 });
    expect(await run()).toEqual({ kind: 'started', used: [1], at: 0 });
    expect(asked.map(([, leaseMs]) => leaseMs)).toEqual([LEASE_MS]);
  });

  it('does not wait for a quota', async () => {
    const { run, waits } = world([{ kind: 'exhausted', used: [5] }]);
    expect([await run(), waits]).toEqual([{ kind: 'exhausted', used: [5] }, []]);
  });

  it('waits half a second for a slot, and asks again sooner at first', async () => {
    const { run, clock, waits, refused } = world([{ kind: 'full' }]);
    expect(await run()).toEqual(BUSY);
    expect([waits.slice(0, 8), clock.ms]).toEqual([[5, 5, 5, 5, 5, 6, 8, 10], 514]);
    expect(refused).toEqual(['target_places']);
  });

  it('has the slot that is freed meanwhile, and counts its lease from the last question', async () => {
    const { run } = world([{ kind: 'full' }, { kind: 'full' }, STARTED]);
    expect(await run()).toEqual({ kind: 'started', used: [1], at: 10 });
  });

  it('waits for another process at this URL for as long as a probe takes, and two seconds', async () => {
    const { run, clock, waits } = world([{ kind: 'in_flight' }]);
    expect(await run()).toEqual(BUSY);
    expect(clock.ms).toBeGreaterThanOrEqual(7_000);
    expect(clock.ms).toBeLessThan(7_100);
    expect(Math.max(...waits)).toBe(75);
  });

  it.each([
    ['a clock that stands still', { ticks: false }],
    ['a slow store', { startMs: 4_000 }],
  ])('does not wait for ever with %s', async (_, odd) => {
    const { run, clock } = world([{ kind: 'in_flight' }], odd);
    expect(await run()).toEqual(BUSY);
    expect(clock.ms).toBeLessThan(20_000);
  });

  it('has the probe that another process has kept', async () => {
    const found = probe(2_000);
    const { run, waits } = world([{ kind: 'in_flight' }, { kind: 'known', probedAt: at(2_000) }], { found });
    expect([await run(), waits]).toEqual([{ kind: 'found', probe: found }, [5]]);
  });

  it('asks for a newer one than a probe it cannot use, at once', async () => {
    const { run, asked, waits } = world([{ kind: 'known', probedAt: at(2_000) }, STARTED]);
    expect((await run()).kind).toBe('started');
    expect(asked.map(([{ newerThan }]) => newerThan)).toEqual([at(1_000), at(2_000)]);
    expect(waits).toEqual([]);
  });
});
