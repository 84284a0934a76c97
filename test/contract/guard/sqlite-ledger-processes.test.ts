import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ledgerChild } from '../../support/guarding/ledger/ledger-child.ts';
import { newSqliteLedgerPlace } from '../../support/guarding/ledger/ledger-places.ts';
import { sized } from '../../support/sized.ts';

const ROUNDS = sized(200, 2_000);

describe('processes on one ledger file', () => {
  let place: Awaited<ReturnType<typeof newSqliteLedgerPlace>>;

  beforeEach(async () => {
    place = await newSqliteLedgerPlace();
  });
  afterEach(() => place.remove());

  it('together never exceed a budget and never pay twice for one key', async () => {
    // A cent each: three of the ten fit into the budget of a round.
    const needs = { rounds: ROUNDS, calls: 5, max: '30000' };
    const children = await Promise.all([1, 2].map(() => ledgerChild(place.file, 'race', needs)));
    for (const child of children) child.go();
    const signed = (await Promise.all(children.map((child) => child.done()))).flat();
    const perRound = Array.from(
      { length: ROUNDS },
      (_, round) => signed.filter((line) => line.startsWith(`round ${round}:`)).length,
    );
    expect(new Set(perRound)).toEqual(new Set([3]));
    const shared = signed.filter((line) => line.includes('shared'));
    expect(new Set(shared).size).toBe(shared.length);
    const kept = await place.open().find({ state: 'signed', limit: 10_000 });
    expect(kept).toHaveLength(signed.length);
  });

  it('may create it together', async () => {
    const children = await Promise.all(
      [1, 2, 3].map(() => ledgerChild(place.file, 'create', { rounds: ROUNDS })),
    );
    for (const child of children) child.go();
    await Promise.all(children.map((child) => child.done()));
  });

  it.each([
    ['reserved', { state: 'reserved', payment: 'eyJ4NDAyVmVyc2lvbiI6Mn0=' }],
    ['signed', { state: 'signed', payment: 'signed' }],
    ['sent', { state: 'sent', attempts: [{ at: '2026-11-18T12:00:00.000Z', status: null }] }],
    ['delivered', { state: 'delivered', payment: null }],
  ])('that are killed when a purchase is %s have lost nothing', async (what, kept) => {
    await killAfter(what);
    expect(await place.open().find({})).toMatchObject([{ id: 'a', key: 'key', amount: 10_000n, ...kept }]);
  });

  it('that are killed after a freeze have frozen the ledger', async () => {
    await killAfter('frozen');
    expect(await place.open().frozen()).toBe(true);
  });

  async function killAfter(what: string): Promise<void> {
    const child = await ledgerChild(place.file, 'writeOnce', { what });
    child.go();
    await child.saysLine('written');
    await child.kill();
  }
});
