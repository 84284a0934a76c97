import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../src/adapters/store/store.ts';
import type { Service } from '../../../src/core/catalog/read-catalog.ts';
import { noteOf } from '../../../src/core/known-answer/open-call.ts';
import { microUsd } from '../../../src/core/money/micro-usd.ts';
import { sandboxCatalog } from '../../../src/sandbox/sandbox-catalog.ts';
import { type Ecosystem, startEcosystem } from '../../../src/sandbox/start-ecosystem.ts';
import { createStops } from '../../../src/sandbox/stops.ts';
import { storeCalls } from '../../support/asking.ts';
import { transfersOn } from '../../support/own-calls.ts';
import { newSqlitePlace, type Place } from '../../support/storing/stores.ts';
import { type Run, verifyOn } from '../../support/verifying.ts';

const stops = createStops();
let world: Ecosystem;
let place: Place;
let store: Store;

beforeAll(async () => {
  world = await startEcosystem({ stops, now: () => new Date() });
});
afterAll(() => stops.stopAll());
beforeEach(async () => {
  place = await newSqlitePlace();
  store = await place.open();
});
afterEach(() => place.remove());

function services(changes: Partial<Service> = {}): readonly Service[] {
  return sandboxCatalog(world.sellers).map((service) => ({ ...service, ...changes }));
}

/** The service of one seller, different from the listing in this. */
function one(name: string, changes: Partial<Service> = {}): Service {
  const found = services(changes).find(({ id }) => id === `sandbox-${name}`);
  if (found === undefined) throw new Error(`the sandbox has no ${name}`);
  return found;
}

const verify = (all: readonly Service[], run: Run = {}) =>
  verifyOn({ chain: world.chain, store, urls: world.sellers.map(({ url }) => url) }, all, run);

const NO_CAPS = { perDay: microUsd(1_000_000n), total: microUsd(1_000_000n) };
const callsOf = async (id: string) => (await store.paidCalls.callsOf([id], 20)).get(id) ?? [];
const spent = () => store.paidCalls.spent(new Date());

describe('the known-answer runner, on the chain of the sandbox', () => {
  it('pays four sellers, and grades what they deliver', async () => {
    const { result: told, transfers } = await transfersOn(world.chain, () => verify(services()));
    expect(Object.entries(told).map(([id, { kind }]) => [id, kind])).toEqual([
      ['sandbox-currency', 'paid'],
      ['sandbox-hash', 'paid'],
      ['sandbox-factors', 'paid'],
      ['sandbox-junk', 'paid'],
    ]);
    const stored = await Promise.all(Object.keys(told).map(async (id) => (await callsOf(id))[0]));
    expect(stored.map((call) => [call?.delivered, call?.quality, call?.charged, call?.httpStatus])).toEqual([
      [true, 'pass', 20_000n, 200],
      [true, 'pass', 10_000n, 200],
      [true, 'pass', 30_000n, 200],
      [true, 'fail', 10_000n, 200],
    ]);
    expect(transfers.map(({ tx, value }) => [tx, value])).toEqual(
      stored.map((call) => [call?.tx, call?.charged]),
    );
    expect(await spent()).toEqual({ day: 70_000n, total: 70_000n });
    const check = (await store.paidCalls.checksOf(['sandbox-hash'])).get('sandbox-hash');
    expect(check).toMatchObject({
      reachable: true,
      x402Challenge: true,
      quotedPrice: 10_000n,
      priceMatchesListing: true,
    });
  });

  it('does not pay again before a day is over, unless it is told to', async () => {
    const hash = one('hash');
    await verify([hash]);
    expect(await verify([hash])).toEqual({});
    expect(await verify([hash], { only: [hash] })).toMatchObject({ 'sandbox-hash': { kind: 'paid' } });
    expect(await callsOf('sandbox-hash')).toHaveLength(2);
  });

  describe('after a clock that was a year ahead', () => {
    const DAY_MS = 86_400_000;
    const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);

    it('pays when the last call before it is a day old, and then once a day', async () => {
      const hash = one('hash');
      const before = inDays(-1.5);
      await storeCalls(store, hash.id, [{ calledAt: before }, { calledAt: inDays(365) }]);
      expect(await verify([hash])).toMatchObject({ [hash.id]: { kind: 'paid' } });
      expect(await verify([hash])).toEqual({});
    });

    it('pays nothing when it was called less than a day ago, or when nobody can tell', async () => {
      const [hash, junk] = [one('hash'), one('junk')];
      await storeCalls(store, hash.id, [{ calledAt: inDays(-0.5) }, { calledAt: inDays(365) }]);
      const ahead = Array.from({ length: 60 }, (_, n) => ({ calledAt: inDays(100 + n) }));
      await storeCalls(store, junk.id, [{ calledAt: inDays(-1.5) }, ...ahead]);
      expect(await verify([hash, junk])).toEqual({});
    });

    it('pays no second time while a call of that clock is open, and finishes it', async () => {
      const hash = one('hash');
      const open = { id: 'open', serviceId: hash.id, amount: microUsd(10_000n), payTo: hash.payTo ?? '' };
      await store.paidCalls.begin({ ...open, calledAt: inDays(365) }, NO_CAPS);
      await store.paidCalls.note('open', noteOf({ payment: 'unreadable', result: null }));
      const { unfinished } = store.paidCalls;
      const kept = { ...store.paidCalls, finish: () => Promise.reject(new Error('not now')) };
      const changes = { calls: kept, onFault: () => {} };
      expect(await verify([hash], { only: [hash], changes })).toEqual({ [hash.id]: { kind: 'open' } });
      await verify([]);
      expect(await unfinished(inDays(400), 9)).toEqual([]);
    });

    it('shows the check of the right one', async () => {
      const { paidCalls } = store;
      const check = { reachable: false, x402Challenge: false, quotedPrice: null, priceMatchesListing: null };
      for (const days of [365, 0]) await paidCalls.keepCheck('a', { ...check, checkedAt: inDays(days) });
      const kept = (await paidCalls.checksOf(['a'])).get('a');
      expect(kept?.checkedAt.getTime()).toBeLessThanOrEqual(Date.now());
    });
  });

  it('looks and pays nothing in a dry run', async () => {
    const { result: told, transfers } = await transfersOn(world.chain, () =>
      verify(services(), { dryRun: true }),
    );
    expect(Object.values(told).map(({ kind }) => kind)).toEqual(Array.from({ length: 4 }, () => 'would_pay'));
    expect(transfers).toEqual([]);
    expect(await spent()).toEqual({ day: 0n, total: 0n });
  });

  it.each<[string, string, Partial<Service>, string]>([
    ['asks for more than listed', 'hash', { price: microUsd(9_999n) }, 'price_mismatch'],
    ['asks for less than listed', 'hash', { price: microUsd(10_001n) }, 'price_mismatch'],
    [
      'has another payee than listed',
      'hash',
      { payTo: '0x857b06519E91e3A54538791bDbb0E22373e36b66' },
      'pay_to_mismatch',
    ],
    ['has no payee in the catalog', 'hash', { payTo: null }, 'no_payee'],
  ])('never pays a seller that %s', async (_, name, changes, why) => {
    const service = one(name, changes);
    const { result: told, transfers } = await transfersOn(world.chain, () => verify([service]));
    expect(told).toEqual({ [service.id]: { kind: 'not_paid', why } });
    expect(transfers).toEqual([]);
    expect(await callsOf(service.id)).toEqual([]);
  });

  it('stops at the cent', async () => {
    const { result: told } = await transfersOn(world.chain, () =>
      verify(services(), { caps: { perDay: microUsd(59_999n) } }),
    );
    expect(Object.values(told)).toMatchObject([
      { kind: 'paid' },
      { kind: 'paid' },
      { kind: 'capped', by: 'day_cap' },
    ]);
    expect(await spent()).toEqual({ day: 30_000n, total: 30_000n });
    expect(await verify([one('junk')], { caps: { total: microUsd(39_999n) } })).toMatchObject({
      'sandbox-junk': { kind: 'capped', by: 'total_cap' },
    });
    expect(await verify([one('factors')], { caps: { perCall: microUsd(29_999n) } })).toEqual({
      'sandbox-factors': { kind: 'not_paid', why: 'call_cap' },
    });
  });

  it('stops at the cent with two runners at once, and neither pays what the other has paid', async () => {
    const caps = { perDay: microUsd(60_000n) };
    const { transfers } = await transfersOn(world.chain, () =>
      Promise.all([verify(services(), { caps }), verify(services(), { caps, buyer: 1 })]),
    );
    const total = transfers.reduce((sum, { value }) => sum + value, 0n);
    expect(total).toBeLessThanOrEqual(60_000n);
    expect((await spent()).day).toBe(total);
    for (const { id } of services()) expect((await callsOf(id)).length).toBeLessThanOrEqual(1);
  });

  it('keeps the body of an answer for disputes, and its hash', async () => {
    await verify([one('junk')]);
    const [row] = await place.ask('select evidence from paid_calls');
    expect(String(row?.['evidence'])).toContain('Lorem ipsum');
    expect(String(row?.['evidence'])).toMatch(/[0-9a-f]{64}/);
  });
});
