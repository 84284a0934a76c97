import { describe, expect, it } from 'vitest';
import { NOON, probeFleet } from '../../test/support/probe-fleet.ts';

const BUSY = { kind: 'rate_limited', retryAfterSeconds: 1, by: 'target' };

describe('places at a target, over all processes (G38)', () => {
  it('lets one of two processes ask for a URL, and the other has what it found', async () => {
    const { one, two, sent, answers, until, held } = probeFleet();
    const first = one('x');
    await until(1);
    const second = two('x');
    for (let turn = 0; turn < 20; turn += 1) await new Promise((done) => setImmediate(done));
    answers[0]?.();
    expect(await first).toMatchObject({ kind: 'probe', cached: false });
    expect(await second).toMatchObject({ kind: 'probe', cached: true });
    expect([sent.length, held]).toEqual([1, []]);
  });

  it('asks nothing when somebody found it between looking and taking the place', async () => {
    const { one, sent, answers, until, cache, counters, places, parts } = probeFleet({});
    const take = places.take;
    places.take = async (...asked) => {
      const observation = { kind: 'timed_out' } as const;
      await cache.keep(
        { method: 'GET', urlKey: 'hash of https://a.example/x' },
        { observation, probedAt: NOON, spelling: 'hash of https://a.example/x' },
      );
      return take(...asked);
    };
    expect(parts.places).toBe(places);
    expect(await one('x')).toMatchObject({ kind: 'probe', cached: true });
    expect(sent).toEqual([]);
    // What was counted for it meanwhile is given back.
    const minute = { key: 'probes:hash of a.example:443', window: '2026-11-15T12:00', limit: 30 };
    expect(await counters.used([minute])).toEqual([0]);
    places.take = take;
    const other = one('y');
    await until(1);
    answers[0]?.();
    await other;
    expect(await counters.used([minute])).toEqual([1]);
  });

  it('has three under way to a host and port, and refuses the fourth after a moment', async () => {
    const { one, two, answers, until, clock, sent } = probeFleet();
    const first = [one('1'), two('2'), one('3')];
    await until(3);
    expect(await two('4')).toEqual(BUSY);
    expect([clock.ms, sent.length]).toEqual([514, 3]);
    for (const answer of answers) answer();
    await Promise.all(first);
    const again = two('4');
    await until(4);
    answers[3]?.();
    expect(await again).toMatchObject({ kind: 'probe', cached: false });
  });

  it('stops waiting for a process that died, and asks itself once the place has run out', async () => {
    const { one, two, sent, answers, until, clock, held, waits, places } = probeFleet();
    const take = places.take;
    let taken = 0;
    places.take = (...asked) => {
      taken += 1;
      return take(...asked);
    };
    void one('x');
    await until(1);
    expect(await two('x')).toEqual(BUSY);
    expect(clock.ms).toBe(7_189);
    expect(waits.slice(0, 8)).toEqual([5, 5, 5, 5, 5, 6, 8, 10]);
    expect([Math.max(...waits), waits.length]).toEqual([75, 108]);
    // Whether the place is free is asked after every fourth look.
    expect(taken).toBe(1 + 1 + 108 / 4);
    expect(held).toHaveLength(1);
    clock.ms = 15_000;
    const next = two('x');
    await until(2);
    answers[1]?.();
    expect(await next).toMatchObject({ kind: 'probe', cached: false });
    expect(sent).toHaveLength(2);
  });

  it('is not made to wait for ever by a clock that stands still, nor by a slow store', async () => {
    const still = probeFleet({ stopwatch: () => 0 });
    void still.one('x');
    await still.until(1);
    expect(await still.two('x')).toEqual(BUSY);
    const slow = probeFleet();
    const take = slow.places.take;
    slow.places.take = async (...asked) => {
      slow.clock.ms += 4_000;
      return take(...asked);
    };
    void slow.one('x');
    await slow.until(1);
    expect(await slow.two('x')).toEqual(BUSY);
    expect(slow.clock.ms).toBeLessThan(20_000);
  });

  it('begins no probe that its place might not outlive', async () => {
    const { one, sent, places, clock, held } = probeFleet();
    const take = places.take;
    places.take = async (...asked) => {
      const answer = await take(...asked);
      clock.ms += 9_001;
      return answer;
    };
    expect(await one('x')).toEqual(BUSY);
    expect([sent, held]).toEqual([[], []]);
  });

  it('lets a hundred callers wait for one URL and sends the others away', async () => {
    const { one, answers, until, sent } = probeFleet();
    const calls = Array.from({ length: 150 }, () => one('x'));
    await until(1);
    answers[0]?.();
    const results = await Promise.all(calls);
    expect(results.filter(({ kind }) => kind === 'probe')).toHaveLength(101);
    expect(results.filter(({ kind }) => kind === 'rate_limited')).toHaveLength(49);
    expect(sent).toHaveLength(1);
    // They were not counted for ever.
    expect(await one('x')).toMatchObject({ cached: true });
  });
});

describe('a host that the crawl is at (G76)', () => {
  it('waits shortly for a lane, and asks to come back when none becomes free', async () => {
    const { one, lanes, wanted, clock, sent } = probeFleet();
    lanes.set('a.example', 3);
    expect(await one('x')).toEqual({ ...BUSY, retryAfterSeconds: 5 });
    expect(clock.ms).toBe(2_539);
    expect([new Set(wanted), sent]).toEqual([new Set(['a.example']), []]);
  });

  it('probes as soon as the crawl lets a lane go idle', async () => {
    const { one, lanes, clock, answers, until } = probeFleet();
    lanes.set('a.example', 3);
    const asking = one('x');
    while (clock.ms < 1_000) await new Promise((done) => setImmediate(done));
    lanes.set('a.example', 2);
    await until(1);
    answers[0]?.();
    expect(await asking).toMatchObject({ kind: 'probe', cached: false });
    expect(clock.ms).toBeLessThan(1_500);
  });
});
