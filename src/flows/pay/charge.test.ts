import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  PAYER,
  type PaymentChanges,
  secondsAfterNoon,
} from '../../../test/support/paying/charging-payments.ts';
import {
  beginAt,
  counterOf,
  type Told,
  useChargingWorlds,
} from '../../../test/support/paying/charging-world.ts';
import { memoryCounters } from '../../../test/support/storing/memory-stores.ts';
import { afterNoon, NOON } from '../../../tools/samples/store-receipts.ts';

const world = useChargingWorlds();
const ANSWERED = {
  kind: 'answered',
  answer: { status: 200, headers: { tx: '0xabc' }, body: `lookup goods paid 20000 by ${PAYER}` },
  replayed: false,
};
const REPLAYED = { ...ANSWERED, replayed: true };
const PENDING = { kind: 'pending' };
const NOTHING = { kind: 'nothing_sold', result: 'nothing to sell' } as const;

describe('the order of a charge (G64)', () => {
  it('is verify, claim, work, store, settle, freeze', async () => {
    const { buy, trace, states, used } = await world();
    expect(await buy()).toEqual(ANSWERED);
    expect(trace).toEqual([
      ...['ledger.look', 'quote', 'verify', 'VERIFIED', 'ledger.claim', 'CLAIMED', 'counters.reserve'],
      ...['work', 'WORKED', 'ledger.prepare', 'PREPARED', 'settle', 'SETTLED', 'ledger.settle', 'FROZEN'],
    ]);
    expect([await states(), await used()]).toEqual([['settled'], 1]);
  });

  it('a payment that has bought its answer is only looked at', async () => {
    const { buy, trace, used } = await world();
    await buy();
    trace.length = 0;
    expect(await buy()).toEqual(REPLAYED);
    expect([trace, await used()]).toEqual([['ledger.look', 'counters.reserve'], 1]);
  });

  it.each<[string, PaymentChanges, string]>([
    ['less', { value: 19_999n }, 'wrong_amount'],
    ['more', { value: 20_001n }, 'wrong_amount'],
    ['to somebody else', { to: PAYER }, 'wrong_payee'],
    ['too late to be settled', { validBefore: secondsAfterNoon(5) }, 'expired'],
    ['too early', { validAfter: secondsAfterNoon(1) }, 'not_yet_valid'],
  ])('nobody is asked about a payment that is plainly no good: %s', async (_, changes, reason) => {
    const { buy, trace } = await world();
    expect(await buy(changes)).toEqual({ kind: 'refused', reason, price: 20_000n, settling: false });
    expect(trace).toEqual(['ledger.look', 'quote']);
  });

  it.each<[string, Partial<Told>, object | string, string[]]>([
    ['there is no price', { quote: async () => NOTHING }, NOTHING.result, ['quote']],
    [
      'nobody can verify it',
      { verify: async () => ({ kind: 'unavailable' }) },
      { kind: 'unavailable' },
      ['quote', 'verify'],
    ],
    [
      'it is found to be bad',
      { verify: async () => ({ kind: 'invalid', reason: 'bad_signature' }) },
      { kind: 'refused', reason: 'bad_signature', price: 20_000n, settling: false },
      ['quote', 'verify', 'counters.reserve', 'ledger.look'],
    ],
  ])('nothing is claimed when %s', async (_, changes, result, asked) => {
    const { buy, told, trace, states } = await world();
    Object.assign(told, changes);
    expect(await buy()).toEqual(result);
    expect([trace, await states()]).toEqual([['ledger.look', ...asked], []]);
  });

  it('a payment that another request settled while it was verified is answered, though it is spent', async () => {
    const { buy, told } = await world();
    const { verify } = told;
    told.verify = async () => {
      told.verify = verify;
      await buy();
      return { kind: 'invalid', reason: 'already_used' };
    };
    expect(await buy()).toEqual(REPLAYED);
  });
});

describe('work that sells nothing', () => {
  const breaks = async (): Promise<never> => {
    throw new Error('our own fault');
  };

  it('gives back the claim and the use', async () => {
    const { buy, told, trace, states, used } = await world();
    told.work = async () => NOTHING;
    expect(await buy()).toEqual(NOTHING.result);
    expect(trace.slice(-4)).toEqual(['work', 'WORKED', 'ledger.release', 'counters.giveBack']);
    expect([await states(), await used()]).toEqual([[], 0]);
  });

  it('gives them back also when the work breaks', async () => {
    const { buy, told, trace, states, used } = await world();
    told.work = breaks;
    await expect(buy()).rejects.toThrow('our own fault');
    expect([await states(), await used(), trace.includes('settle')]).toEqual([[], 0, false]);
  });

  it('gives back the claim when the limit cannot be counted', async () => {
    const { buy, trace, states } = await world({ counters: { ...memoryCounters(), reserve: breaks } });
    await expect(buy()).rejects.toThrow('our own fault');
    expect([await states(), trace.includes('work')]).toEqual([[], false]);
  });

  it('has no use to give back when there is no limit', async () => {
    const { buy, told, trace } = await world();
    told.work = async () => NOTHING;
    await buy({}, null);
    expect(trace.filter((what) => what.startsWith('counters'))).toEqual([]);
  });

  it('is not begun beyond the limit of the payer who was verified (G08)', async () => {
    const { buy, told, trace, states, used } = await world();
    const payers: string[] = [];
    const limit = (payer: string) => {
      payers.push(payer);
      return counterOf(PAYER);
    };
    told.verify = async () => ({ kind: 'valid', payer: 'the verified one' });
    await buy({ n: 1 }, limit);
    await buy({ n: 2 }, limit);
    trace.length = 0;
    expect(await buy({ n: 3 }, limit)).toEqual({ kind: 'limited' });
    expect(trace.slice(4)).toEqual([
      'ledger.claim',
      'CLAIMED',
      'counters.reserve',
      'WORKED',
      'ledger.release',
    ]);
    expect([await states(), await used()]).toEqual([['settled', 'settled'], 2]);
    expect(new Set(payers)).toEqual(new Set(['the verified one']));
  });
});

describe('a payment that somebody else is at work on', () => {
  it('is waited for, longer and longer, for a quarter of a minute', async () => {
    const its = await world();
    const { first, goOn } = await beginAt(its);
    expect(await its.buy()).toEqual(PENDING);
    expect(its.waits.slice(0, 6)).toEqual([20, 40, 80, 160, 320, 500]);
    expect(its.waits.reduce((sum, one) => sum + one)).toBe(15_120);
    goOn();
    expect(await first).toEqual(ANSWERED);
  });

  it('is not waited for when its settlement has no outcome', async () => {
    const { buy, told, waits } = await world();
    told.settle = async () => ({ kind: 'unknown' });
    await buy();
    expect([await buy(), waits]).toEqual([PENDING, []]);
  });

  it.each<[string, Told['work'] | undefined, object, number]>([
    ['is answered as soon as the other one is', undefined, REPLAYED, 1],
    ['is there to be bought when the other one sells nothing', async () => NOTHING, ANSWERED, 2],
  ])('%s', async (_, ends, second, works) => {
    const going: { on: () => void } = { on: () => {} };
    const wait = async () => {
      going.on();
      await pause(1);
    };
    const its = await world({ clock: { now: () => NOON, wait, stopwatch: () => 0 } });
    const { first, goOn } = await beginAt(its, ends);
    going.on = goOn;
    expect([await its.buy(), await its.used(), await its.states()]).toEqual([second, 1, ['settled']]);
    expect(await first).toEqual(ends === undefined ? ANSWERED : NOTHING.result);
    expect(its.trace.filter((what) => what === 'work')).toHaveLength(works);
  });

  it('is up again when the claim has run out; whoever had it moves no money', async () => {
    const its = await world();
    const { first, goOn } = await beginAt(its);
    its.clock.now = afterNoon(29_999);
    expect(await its.buy()).toEqual(PENDING);
    its.clock.now = afterNoon(30_000);
    expect(await its.buy()).toEqual(ANSWERED);
    goOn();
    expect(await first).toEqual(PENDING);
    expect(its.trace.filter((what) => what === 'settle')).toHaveLength(1);
    expect([await its.states(), its.faults]).toEqual([['settled'], []]);
  });

  it.each<[string, Date, object | null, object]>([
    ['and is still at work on', afterNoon(29_999), PENDING, ANSWERED],
    ['for longer than a claim stands', afterNoon(30_000), null, PENDING],
    ['as one whose clock is a day ahead sees it', afterNoon(86_400_000), null, PENDING],
    ['as one whose clock is an hour behind sees it', afterNoon(-3_600_000), null, PENDING],
  ])('%s: what is given away is not charged for as well (L78)', async (_, now, seen, becomesOfTheFirst) => {
    const its = await world();
    const { first, goOn } = await beginAt(its);
    expect(await its.boughtBefore(now)).toEqual(seen);
    goOn();
    expect(await first).toEqual(becomesOfTheFirst);
    const settled = its.trace.filter((what) => what === 'settle');
    expect(settled).toHaveLength(seen === null ? 0 : 1);
    // Nothing is left of it in the way of the same payment.
    expect(await its.buy()).toEqual(seen === null ? ANSWERED : REPLAYED);
  });
});
