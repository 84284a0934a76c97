import { describe, expect, it } from 'vitest';
import { memoryLedger } from '../../../src/guard/ledger/memory-ledger.ts';
import type { PurchaseState } from '../../../src/guard/ledger/purchase.ts';
import {
  aDayLimit,
  afterNoon,
  aPurchase,
  aTaskLimit,
  NOON,
} from '../../support/guarding/buyers/purchases.ts';

const DAY_MS = 86_400_000;

/** Three purchases of a task in a ledger for three, in the order of their times before noon. */
async function fullLedger(states: readonly (readonly [PurchaseState, msBefore: number])[]) {
  const ledger = memoryLedger({ most: 3 });
  for (const [n, [to, ms]] of states.entries()) {
    await ledger.reserve(aPurchase({ id: `p${n}`, task: 'task', createdAt: afterNoon(-ms) }), []);
    await ledger.move(`p${n}`, { from: ['reserved'], to, at: NOON });
  }
  return ledger;
}

describe('a full ledger in memory', () => {
  it('forgets the oldest concluded purchase that no day counts, and still counts it for its task', async () => {
    const ledger = await fullLedger([
      ['unknown', DAY_MS + 3],
      ['delivered', DAY_MS + 2],
      ['delivered', DAY_MS + 1],
    ]);
    const limits = [aDayLimit(10_000n), aTaskLimit(40_000n)];
    expect(await ledger.reserve(aPurchase({ id: 'x', task: 'task' }), limits)).toEqual({ kind: 'reserved' });
    for (const query of [{}, { request: 'request' }, { endpoint: 'endpoint' }])
      expect((await ledger.find(query)).map(({ id }) => id)).toEqual(['x', 'p2', 'p0']);
    const next = ledger.reserve(aPurchase({ id: 'y', task: 'task' }), [aTaskLimit(40_000n)]);
    expect(await next).toMatchObject({ kind: 'over', spent: 40_000n });
  });

  it('counts nothing for what it forgets when no money can have moved', async () => {
    const ledger = await fullLedger([
      ['never_settled', DAY_MS + 3],
      ['delivered', 2],
      ['delivered', 1],
    ]);
    await ledger.reserve(aPurchase({ id: 'x', task: 'task' }), []);
    const next = ledger.reserve(aPurchase({ id: 'y', task: 'task' }), [aTaskLimit(0n)]);
    expect(await next).toMatchObject({ spent: 30_000n });
  });

  it('forgets first what nobody paid, however new it is', async () => {
    const ledger = await fullLedger([
      ['delivered', DAY_MS + 3],
      ['expired', 2],
      ['delivered', 1],
    ]);
    await ledger.reserve(aPurchase({ id: 'x' }), []);
    expect((await ledger.find({})).map(({ id }) => id)).toEqual(['x', 'p2', 'p0']);
  });

  it('is full by what sellers have said as well: 402s, and the words about their settlement', async () => {
    const ledger = memoryLedger();
    const paymentResponse = 'x'.repeat(50_000_000);
    const aLongOne = (id: string) => aPurchase({ id, challenge: paymentResponse });
    await ledger.reserve(aPurchase({ id: 'p0' }), []);
    await ledger.reserve(aLongOne('p1'), []);
    const answer = { at: '', status: 200, contentType: null, bytes: 1, sha256: null, paymentResponse };
    await ledger.move('p0', { from: ['reserved'], to: 'delivered', at: NOON, facts: { answer } });
    await expect(ledger.reserve(aLongOne('x'), [])).rejects.toThrow('it has 2 purchases that still count');
    await ledger.move('p1', { from: ['reserved'], to: 'expired', at: NOON });
    expect(await ledger.reserve(aLongOne('x'), [])).toEqual({ kind: 'reserved' });
    expect((await ledger.find({})).map(({ id }) => id).sort()).toEqual(['p0', 'x']);
  });

  it('counts nothing for the day of what it forgets before anybody asked about a day', async () => {
    const ledger = await fullLedger([
      ['delivered', DAY_MS + 3],
      ['delivered', 2],
      ['delivered', 1],
    ]);
    await ledger.reserve(aPurchase({ id: 'x' }), []);
    const next = ledger.reserve(aPurchase({ id: 'y' }), [aDayLimit(0n)]);
    expect(await next).toMatchObject({ spent: 30_000n });
  });

  it('refuses when every purchase is open or counts for the day', async () => {
    const ledger = await fullLedger([
      ['unknown', DAY_MS + 3],
      ['delivered', DAY_MS],
      ['delivered', 1],
    ]);
    await expect(ledger.reserve(aPurchase({ id: 'x' }), [])).rejects.toThrow(
      'the ledger in memory is full: it has 3 purchases that still count',
    );
    expect(await ledger.find({})).toHaveLength(3);
  });
});
