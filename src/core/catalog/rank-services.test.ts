import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aCall, aService } from '../../../tools/samples/catalog.ts';
import type { PaidCall, Quality } from '../known-answer/paid-call.ts';
import { factsOnlyReason, rankServices, type ServiceRecord } from './rank-services.ts';

const NOW = new Date('2026-11-15T12:00:00.000Z');
const query = { n: 5, limit: 10, now: NOW };

const record = (id: string, price: string, ...qualities: Quality[]): ServiceRecord => ({
  service: aService({ id, price_usd: price }),
  calls: qualities.map((quality, index) =>
    aCall({ quality, calledAt: new Date(NOW.getTime() - index * 60_000) }),
  ),
});
const order = (records: ServiceRecord[]) =>
  rankServices(records, query).ranked.map(({ service }) => service.id);

describe('the order of services (G26)', () => {
  it.each<[string, ServiceRecord[], string[]]>([
    ['pass rate first', [record('a', '0.01', 'pass', 'fail'), record('b', '0.05', 'pass')], ['b', 'a']],
    [
      'then price',
      [record('a', '0.02', 'pass'), record('b', '0.010001', 'pass'), record('c', '0.01', 'pass')],
      ['c', 'b', 'a'],
    ],
    ['then id', [record('b', '0.01', 'pass'), record('a', '0.01', 'pass')], ['a', 'b']],
    [
      'ungraded after failing',
      [record('a', '0.01', 'not_graded'), record('b', '0.01', 'fail'), record('c', '0.01')],
      ['b', 'a', 'c'],
    ],
  ])('%s', (_, records, ids) => {
    expect(order(records)).toEqual(ids);
  });

  it('is total and does not depend on the order of the input', () => {
    const qualities = fc.array(fc.constantFrom<Quality>('pass', 'fail', 'not_graded'), { maxLength: 4 });
    const some = fc.uniqueArray(
      fc.record({ id: fc.stringMatching(/^[a-z]{1,2}$/), price: fc.constantFrom('0.01', '0.02'), qualities }),
      { selector: ({ id }) => id, maxLength: 8 },
    );
    fc.assert(
      fc.property(some, fc.func(fc.nat()), (drawn, weight) => {
        const records = drawn.map(({ id, price, qualities: graded }) => record(id, price, ...graded));
        const shuffled = records.toSorted(
          (left, right) => weight(left.service.id) - weight(right.service.id),
        );
        expect(order(shuffled)).toEqual(order(records));
      }),
    );
  });
});

describe('the facts of a service (G24)', () => {
  it('come from the last n calls, the payees from all', () => {
    const calls: PaidCall[] = [
      aCall({ calledAt: new Date('2026-11-13T00:00:00Z'), payTo: '0xold', quality: 'fail' }),
      aCall({ calledAt: new Date('2026-11-15T00:00:00Z'), payTo: '0xnew' }),
      aCall({
        calledAt: new Date('2026-11-14T00:00:00Z'),
        payTo: null,
        delivered: false,
        quality: 'not_graded',
      }),
    ];
    const [ranked] = rankServices([{ service: aService(), calls }], { ...query, n: 2 }).ranked;
    expect(ranked).toMatchObject({
      calls: [{ payTo: '0xnew' }, { payTo: null }],
      newestCallAt: new Date('2026-11-15T00:00:00Z'),
      stale: false,
      payees: ['0xnew', '0xold'],
      deliveredRate: 0.5,
      passRate: 1,
      passRateLow: 0.207,
      passRateHigh: 1,
      gradedCalls: 1,
      passedCalls: 1,
    });
  });

  it.each<[string, string[], boolean]>([
    ['no call', [], true],
    ['a call of 36 hours ago', ['2026-11-14T00:00:00.000Z'], false],
    ['a call older by a millisecond', ['2026-11-13T23:59:59.999Z'], true],
    ['an old call beside a new one', ['2026-11-01T00:00:00Z', '2026-11-15T00:00:00Z'], false],
  ])('stale: %s', (_, times, stale) => {
    const calls = times.map((time) => aCall({ calledAt: new Date(time) }));
    expect(rankServices([{ service: aService(), calls }], query).ranked[0]?.stale).toBe(stale);
  });

  it('does not hold our own failures against a seller', () => {
    const calls = [aCall(), aCall({ delivered: false, ourFault: true, quality: 'not_graded' })];
    expect(rankServices([{ service: aService(), calls }], query).ranked[0]?.deliveredRate).toBe(1);
  });

  it('names a payee once, in whatever letter case it came', () => {
    const payTo = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
    const calls = [aCall({ payTo }), aCall({ payTo: payTo.toLowerCase() })];
    expect(rankServices([{ service: aService(), calls }], query).ranked[0]?.payees).toHaveLength(1);
  });

  it('orders calls of one moment by their transaction', () => {
    const calls = [aCall({ tx: '0x1' }), aCall({ tx: '0x2' }), aCall({ tx: null })];
    const [ranked] = rankServices([{ service: aService(), calls }], query).ranked;
    expect(ranked?.calls.map(({ tx }) => tx)).toEqual(['0x2', '0x1', null]);
  });

  it('rounds rates to three decimals and leaves unknown ones out', () => {
    expect(rankServices([record('a', '0.01', 'pass', 'pass', 'fail')], query).ranked[0]?.passRate).toBe(
      0.667,
    );
    expect(rankServices([record('a', '0.01')], query).ranked[0]).toMatchObject({
      passRate: null,
      passRateLow: null,
      passRateHigh: null,
      deliveredRate: null,
    });
  });

  it('cuts the ranked ones to the limit and counts all', () => {
    const ranking = rankServices([record('a', '0.01'), record('b', '0.01'), record('c', '0.01')], {
      ...query,
      limit: 2,
    });
    expect([ranking.matched, ranking.ranked.length]).toEqual([3, 2]);
  });
});

describe('services shown with facts alone (G25)', () => {
  const failed = aCall({ delivered: false });
  const ours = aCall({ delivered: false, ourFault: true });
  it.each<[string, PaidCall[], string | null, string | null]>([
    [
      'the last three delivered nothing',
      [failed, failed, failed, aCall()],
      null,
      'the last 3 paid calls delivered nothing',
    ],
    ['only two calls so far', [failed, failed], null, null],
    ['lifted by the next delivered call', [aCall(), failed, failed, failed], null, null],
    ['pinned by the operator', [aCall()], 'asks for an account', 'asks for an account'],
    ['never called', [], null, null],
    ['three failures of our own', [ours, ours, ours], null, null],
    [
      'ours in between are passed over',
      [failed, ours, failed, failed],
      null,
      'the last 3 paid calls delivered nothing',
    ],
  ])('%s', (_, calls, pinned, reason) => {
    expect(factsOnlyReason(calls, pinned)).toBe(reason);
  });

  it('stand beside the ranking, by id', () => {
    const broken = (id: string): ServiceRecord => ({
      service: aService({ id, facts_only: 'broken' }),
      calls: [],
    });
    const ranking = rankServices([broken('b'), record('r', '0.01'), broken('a')], query);
    expect(ranking.factsOnly.map(({ service }) => service.id)).toEqual(['a', 'b']);
    expect(ranking.factsOnly[0]).toMatchObject({ factsOnlyReason: 'broken' });
    expect(ranking.factsOnly[0]).toHaveProperty('gradedCalls');
    for (const rate of ['passRate', 'passRateLow', 'passRateHigh', 'deliveredRate'])
      expect(ranking.factsOnly[0]).not.toHaveProperty(rate);
    expect(ranking.matched).toBe(3);
  });
});
