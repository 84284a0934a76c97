import { describe, expect, it } from 'vitest';
import { ENTRY, paywall } from '../../test/support/challenge.ts';
import { target } from '../../test/support/listed.ts';
import { memoryPlaces } from '../../test/support/memory-places.ts';
import { memoryCounters, memoryProbeCache } from '../../test/support/memory-stores.ts';
import { createHostSlots } from './host-slots.ts';
import type { PlaceParts } from './place-at-target.ts';
import { createProbeOnce, type ProbeOnce } from './probe-once.ts';

const NOON = new Date('2026-11-15T12:00:10.000Z');

/** Two processes on one store; every probe ends when it is told to. */
function fleet(changes: Partial<PlaceParts> = {}) {
  const shared = memoryPlaces();
  const [cache, counters] = [memoryProbeCache(), memoryCounters()];
  const sent: string[] = [];
  const answers: (() => void)[] = [];
  const process = (): Ask => {
    const probeOnce = createProbeOnce({
      prober: {
        probe: ({ target: { normalized } }) => {
          sent.push(normalized);
          return new Promise((resolve) => answers.push(() => resolve(paywall([ENTRY]))));
        },
      },
      cache,
      counters,
      slots: createHostSlots({ perHost: 3, total: 100 }),
      ...shared.parts,
      ...changes,
      now: () => NOON,
      keyOf: (text) => `hash of ${text}`,
      probesPerHostMinute: 30,
    });
    return (path) => probeOnce({ target: target(`https://a.example/${path}`), method: 'GET' });
  };
  const until = async (count: number) => {
    while (sent.length < count) await new Promise((done) => setImmediate(done));
  };
  return { ...shared, cache, sent, answers, one: process(), two: process(), until };
}

type Ask = (path: string) => ReturnType<ProbeOnce>;
const BUSY = { kind: 'rate_limited', retryAfterSeconds: 1, by: 'target' };

describe('places at a target, over all processes (G38)', () => {
  it('lets one of two processes ask for a URL, and the other has what it found', async () => {
    const { one, two, sent, answers, until, held } = fleet();
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
    const { one, sent, cache, places, parts } = fleet({});
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
  });

  it('has three under way to a host and port, and refuses the fourth at once', async () => {
    const { one, two, answers, until, clock } = fleet();
    const first = [one('1'), two('2'), one('3')];
    await until(3);
    expect(await two('4')).toEqual(BUSY);
    expect(clock.ms).toBe(0);
    for (const answer of answers) answer();
    await Promise.all(first);
    const again = two('4');
    await until(4);
    answers[3]?.();
    expect(await again).toMatchObject({ kind: 'probe', cached: false });
  });

  it('stops waiting for a process that died, and asks itself once the place has run out', async () => {
    const { one, two, sent, answers, until, clock, held, waits } = fleet();
    void one('x');
    await until(1);
    expect(await two('x')).toEqual(BUSY);
    expect(clock.ms).toBe(7_050);
    expect(waits.slice(0, 7)).toEqual([5, 10, 20, 40, 75, 75, 75]);
    expect(held).toHaveLength(1);
    clock.ms = 15_000;
    const next = two('x');
    await until(2);
    answers[1]?.();
    expect(await next).toMatchObject({ kind: 'probe', cached: false });
    expect(sent).toHaveLength(2);
  });

  it('is not made to wait for ever by a clock that stands still, nor by a slow store', async () => {
    const still = fleet({ stopwatch: () => 0 });
    void still.one('x');
    await still.until(1);
    expect(await still.two('x')).toEqual(BUSY);
    const slow = fleet();
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
    const { one, sent, places, clock, held } = fleet();
    const take = places.take;
    places.take = async (...asked) => {
      const answer = await take(...asked);
      clock.ms += 9_001;
      return answer;
    };
    expect(await one('x')).toEqual(BUSY);
    expect([sent, held]).toEqual([[], []]);
  });

  it('answers although the place could not be given back, and says so to the operator', async () => {
    const fault = new Error('the store failed');
    const { one, places, answers, until, faults } = fleet();
    places.giveBack = async () => {
      throw fault;
    };
    const asking = one('x');
    await until(1);
    answers[0]?.();
    expect(await asking).toMatchObject({ kind: 'probe', cached: false });
    expect(faults).toEqual([fault]);
  });

  it('lets nobody who has an answer wait until the place is given back', async () => {
    const { one, places, answers, until, held } = fleet();
    const giveBack = places.giveBack;
    const slow: (() => void)[] = [];
    places.giveBack = async (place) => {
      await new Promise<void>((done) => slow.push(done));
      await giveBack(place);
    };
    const asking = one('x');
    await until(1);
    answers[0]?.();
    expect(await asking).toMatchObject({ kind: 'probe', cached: false });
    expect(held).toHaveLength(1);
    for (const done of slow) done();
    await new Promise((done) => setImmediate(done));
    expect(held).toEqual([]);
  });

  it('lets nobody who has an answer wait until it is kept, and gives the place back after that', async () => {
    const { one, two, cache, answers, until, held, sent } = fleet();
    const keep = cache.keep;
    const slow: (() => void)[] = [];
    cache.keep = async (...kept) => {
      await new Promise<void>((done) => slow.push(done));
      await keep(...kept);
    };
    const asking = one('x');
    await until(1);
    answers[0]?.();
    expect(await asking).toMatchObject({ kind: 'probe', cached: false });
    expect(held).toHaveLength(1);
    // Of the same process from the flight, of another one once it is in the store.
    expect(await one('x')).toMatchObject({ kind: 'probe', cached: true });
    const elsewhere = two('x');
    for (let turn = 0; turn < 20; turn += 1) await new Promise((done) => setImmediate(done));
    for (const done of slow) done();
    expect(await elsewhere).toMatchObject({ kind: 'probe', cached: true });
    expect([sent.length, held]).toEqual([1, []]);
  });

  it('answers although what was found could not be kept, says so to the operator, and asks again next time', async () => {
    const fault = new Error('the store failed');
    const { one, cache, answers, until, faults, held } = fleet();
    const keep = cache.keep;
    cache.keep = async () => {
      throw fault;
    };
    const asking = one('x');
    await until(1);
    answers[0]?.();
    expect(await asking).toMatchObject({ kind: 'probe', cached: false });
    await new Promise((done) => setImmediate(done));
    expect([faults, held]).toEqual([[fault], []]);
    cache.keep = keep;
    const again = one('x');
    await until(2);
    answers[1]?.();
    expect(await again).toMatchObject({ kind: 'probe', cached: false });
  });

  it('lets a hundred callers wait for one URL and sends the others away', async () => {
    const { one, answers, until, sent } = fleet();
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
    const { one, lanes, wanted, clock, sent } = fleet();
    lanes.set('a.example', 3);
    expect(await one('x')).toEqual({ ...BUSY, retryAfterSeconds: 5 });
    expect(clock.ms).toBe(2_550);
    expect([new Set(wanted), sent]).toEqual([new Set(['a.example']), []]);
  });

  it('probes as soon as the crawl lets a lane go idle', async () => {
    const { one, lanes, clock, answers, until } = fleet();
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
