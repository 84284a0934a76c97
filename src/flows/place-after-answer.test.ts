import { describe, expect, it } from 'vitest';
import { probeFleet } from '../../test/support/probe-fleet.ts';

describe('what is written after the answer (L79)', () => {
  it('answers although the place could not be given back, and says so to the operator', async () => {
    const fault = new Error('the store failed');
    const { one, places, answers, until, faults } = probeFleet();
    places.giveBack = async () => {
      throw fault;
    };
    const asking = one('x');
    await until(1);
    answers[0]?.();
    expect(await asking).toMatchObject({ kind: 'probe', cached: false });
    expect(faults).toEqual([fault]);
  });

  it('answers although what was counted in vain could not be given back, and says so to the operator', async () => {
    const fault = new Error('the store failed');
    const { one, cache, counters, answers, until, faults } = probeFleet();
    const first = one('x');
    await until(1);
    answers[0]?.();
    await first;
    const find = cache.find;
    let looks = 0;
    // As if another process had kept it between the first look and the second.
    cache.find = async (...asked) => {
      looks += 1;
      return looks === 1 ? null : find(...asked);
    };
    counters.giveBack = async () => {
      throw fault;
    };
    expect(await one('x')).toMatchObject({ kind: 'probe', cached: true });
    await new Promise((done) => setImmediate(done));
    expect(faults).toEqual([fault]);
  });

  it('lets nobody who has an answer wait until the place is given back', async () => {
    const { one, places, answers, until, held } = probeFleet();
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

  it('has a place for whoever asks one thing after the other, however late the places are given back', async () => {
    const { one, places, answers, until, clock, held, sent } = probeFleet();
    const giveBack = places.giveBack;
    places.giveBack = async (place) => {
      const dueMs = clock.ms + 400;
      while (clock.ms < dueMs) await new Promise((done) => setImmediate(done));
      await giveBack(place);
    };
    for (const [n, path] of ['1', '2', '3', '4'].entries()) {
      const asking = one(path);
      await until(n + 1);
      answers[n]?.();
      expect(await asking).toMatchObject({ kind: 'probe', cached: false });
    }
    expect([sent.length, held.length]).toEqual([4, 1]);
    // So that the last of them is given back as well.
    clock.ms += 400;
  });

  it('lets nobody who has an answer wait until it is kept, and gives the place back after that', async () => {
    const { one, two, cache, answers, until, held, sent } = probeFleet();
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
    const { one, cache, answers, until, faults, held } = probeFleet();
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
});
