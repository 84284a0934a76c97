import { describe, expect, it } from 'vitest';
import { NOON, probeFleet } from '../../../test/support/probing/probe-fleet.ts';
import { MINUTE } from '../../../test/support/probing/probe-world.ts';

const BUSY = { kind: 'rate_limited', retryAfterSeconds: 1 };
const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((done) => setImmediate(done));
};

describe('slots at a target, over all processes (G38)', () => {
  it('lets one of two processes ask for a URL, and all callers of the other have what it found', async () => {
    const { one, two, sent, answers, until, held, clock } = probeFleet();
    const first = one('x');
    await until(1);
    const others = Array.from({ length: 10 }, () => two('x'));
    await turns(20);
    answers[0]?.();
    expect(await first).toMatchObject({ kind: 'probed' });
    const seenAt = clock.ms;
    const kinds = (await Promise.all(others)).map(({ kind }) => kind);
    expect(kinds).toEqual(Array.from({ length: 10 }, () => 'reused'));
    // Those who wait in one process do not ask the store one after the other.
    expect(clock.ms - seenAt).toBeLessThan(100);
    expect([sent.length, held]).toEqual([1, []]);
  });

  it('sends and counts nothing when another process has kept a probe meanwhile', async () => {
    const { one, sent, cache, counters, held } = probeFleet();
    await cache.keep(
      { method: 'GET', urlKey: 'hash of https://a.example/x' },
      {
        observation: { kind: 'timed_out' },
        probedAt: NOON,
        spelling: 'hash of https://a.example/x',
      },
    );
    const use = { key: 'use', window: '2026-11-15', limit: 1 };
    expect(await one('x', { counters: [use] })).toMatchObject({ kind: 'reused' });
    expect([sent, held, await counters.used([use, MINUTE])]).toEqual([[], [], [0, 0]]);
  });

  it('has three in flight to a host and port, and refuses the fourth after half a second', async () => {
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
    expect(await again).toMatchObject({ kind: 'probed' });
  });

  it('stops waiting for a process that died, and asks itself once its slot has run out', async () => {
    const { one, two, sent, answers, until, clock, held } = probeFleet();
    void one('x');
    await until(1);
    expect(await two('x')).toEqual(BUSY);
    expect(clock.ms).toBe(7_039);
    expect(held).toHaveLength(1);
    clock.ms = 15_000;
    const next = two('x');
    await until(2);
    answers[1]?.();
    expect(await next).toMatchObject({ kind: 'probed' });
    expect(sent).toHaveLength(2);
  });

  it('begins no probe that its lease might not outlive, and takes back what it counted', async () => {
    const { one, sent, checks, counters, clock, held } = probeFleet();
    const { start } = checks;
    checks.start = async (...asked) => {
      const answer = await start(...asked);
      clock.ms += 9_001;
      return answer;
    };
    const use = { key: 'use', window: '2026-11-15', limit: 1 };
    expect(await one('x', { counters: [use] })).toEqual(BUSY);
    expect([sent, held, await counters.used([use, MINUTE])]).toEqual([[], [], [0, 0]]);
  });

  it('lets a hundred callers wait for one URL and sends the others away', async () => {
    const { one, answers, until, sent } = probeFleet();
    const calls = Array.from({ length: 150 }, () => one('x'));
    await until(1);
    answers[0]?.();
    const results = await Promise.all(calls);
    expect(results.filter(({ kind }) => kind === 'reused')).toHaveLength(100);
    expect(results.filter(({ kind }) => kind === 'rate_limited')).toHaveLength(49);
    expect(sent).toHaveLength(1);
    expect(await one('x')).toMatchObject({ kind: 'reused' });
  });
});

describe('what is written after the answer of a target (L79)', () => {
  it('is one commit, and fails the caller that wanted it alone', async () => {
    const { one, checks, counters, answers, until, held, cache } = probeFleet();
    const { finish } = checks;
    checks.finish = async () => {
      throw new Error('the store failed');
    };
    const use = { key: 'use', window: '2026-11-15', limit: 1 };
    const asking = one('x', { counters: [use], refunds: [use] });
    const failing = expect(asking).rejects.toThrow('the store failed');
    await until(1);
    const joined = one('x');
    answers[0]?.();
    expect(await joined).toMatchObject({ kind: 'reused' });
    await failing;
    // The request was sent: the target's minute stays counted.
    expect([held, cache.kept.size, await counters.used([use, MINUTE])]).toEqual([[], 0, [0, 1]]);
    checks.finish = finish;
    const again = one('x');
    await until(2);
    answers[1]?.();
    expect(await again).toMatchObject({ kind: 'probed' });
  });

  it('reports the first fault when the slot cannot be freed either', async () => {
    const { one, checks, answers, until } = probeFleet();
    checks.finish = async () => {
      throw new Error('the store failed');
    };
    checks.abandon = async () => {
      throw new Error('and again');
    };
    const failing = expect(one('x')).rejects.toThrow('the store failed');
    await until(1);
    answers[0]?.();
    await failing;
  });
});
