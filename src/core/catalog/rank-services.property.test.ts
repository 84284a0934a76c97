import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aCall, aService } from '../../../tools/samples/catalog.ts';
import type { PaidCall, Quality } from '../known-answer/paid-call.ts';
import { formatUsd, microUsd } from '../money/micro-usd.ts';
import { type RankedService, type Ranking, rankServices, type ServiceRecord } from './rank-services.ts';

const NOON = Date.UTC(2026, 10, 15, 12);
const ALL = 99;

/** Few different values, so that ties are common. */
const call = fc.record({
  minutesAgo: fc.integer({ min: 0, max: 2 }),
  settled: fc.nat({ max: 2 }),
  quality: fc.constantFrom<Quality>('pass', 'fail', 'not_graded'),
  delivered: fc.constantFrom(true, true, true, false),
  ourFault: fc.boolean(),
  payTo: fc.constantFrom('0xone', '0xtwo', null),
});
const calls = fc.array(call, { maxLength: 5 }).map((drawn) =>
  drawn.map(
    ({ minutesAgo, settled, ...rest }): PaidCall =>
      aCall({
        ...rest,
        calledAt: new Date(NOON - minutesAgo * 60_000),
        tx: settled === 0 ? null : `0x${settled.toString(16).padStart(64, '0')}`,
      }),
  ),
);
const records = fc
  .uniqueArray(
    fc.record({
      id: fc.stringMatching(/^[a-d]{1,2}(?:-[0-9])?$/),
      price: fc.constantFrom(1_000n, 1_001n),
      pinned: fc.constantFrom(false, false, false, false, true),
      calls,
    }),
    { selector: ({ id }) => id, maxLength: 10, size: 'max' },
  )
  .map((drawn) =>
    drawn.map(
      ({ id, price, pinned, calls: made }): ServiceRecord => ({
        service: aService({
          id,
          price_usd: formatUsd(microUsd(price)),
          ...(pinned ? { facts_only: 'asks for a login' } : {}),
        }),
        calls: made,
      }),
    ),
  );
const n = fc.integer({ min: 1, max: 20 });

const rank = (some: readonly ServiceRecord[], lastCalls: number, limit = ALL): Ranking =>
  rankServices(some, { n: lastCalls, limit, now: new Date(NOON) });
const idsOf = (services: Ranking['ranked' | 'factsOnly']) => services.map(({ service }) => service.id);

describe('for any set of receipts the ranking', () => {
  it('is the same in whatever order services and calls come', () => {
    const shuffled = records.chain((some) =>
      fc.tuple(
        fc.constant(some),
        fc.shuffledSubarray(some, { minLength: some.length }),
        fc.infiniteStream(fc.nat()),
      ),
    );
    fc.assert(
      fc.property(shuffled, n, ([some, others, chance], lastCalls) => {
        const mixed = others.map(({ service, calls: made }) => ({ service, calls: mixedBy(chance, made) }));
        expect(rank(mixed, lastCalls)).toEqual(rank(some, lastCalls));
      }),
    );
  });

  it('is total: everybody has one place, and of two neighbours one is first for a reason', () => {
    fc.assert(
      fc.property(records, n, (some, lastCalls) => {
        const { matched, ranked, factsOnly } = rank(some, lastCalls);
        expect(matched).toBe(some.length);
        expect([...idsOf(ranked), ...idsOf(factsOnly)].sort()).toEqual(
          some.map(({ service }) => service.id).sort(),
        );
        for (const [index, left] of ranked.entries()) {
          const right = ranked[index + 1];
          if (right !== undefined) expect(comesFirst(left, right)).toBe(true);
        }
        expect(idsOf(factsOnly)).toEqual(idsOf(factsOnly).toSorted());
      }),
    );
  });

  it('is stable: nobody changes places because somebody else comes, goes or is cut off', () => {
    fc.assert(
      fc.property(records, n, fc.nat({ max: 10 }), (some, lastCalls, which) => {
        const left = some[which]?.service.id;
        const without = (ids: readonly string[]) => ids.filter((id) => id !== left);
        const all = rank(some, lastCalls);
        const fewer = rank(
          some.filter(({ service }) => service.id !== left),
          lastCalls,
        );
        expect(idsOf(fewer.ranked)).toEqual(without(idsOf(all.ranked)));
        expect(idsOf(fewer.factsOnly)).toEqual(without(idsOf(all.factsOnly)));
        const cut = rank(some, lastCalls, which);
        expect(cut).toEqual({ ...all, ranked: all.ranked.slice(0, which) });
      }),
    );
  });

  it('says of a service what its own receipts say, whoever stands beside it', () => {
    fc.assert(
      fc.property(records, n, (some, lastCalls) => {
        const { ranked, factsOnly } = rank(some, lastCalls);
        const alone = some.map((one) => rank([one], lastCalls));
        expect(new Set(ranked)).toEqual(new Set(alone.flatMap((ranking) => ranking.ranked)));
        expect(new Set(factsOnly)).toEqual(new Set(alone.flatMap((ranking) => ranking.factsOnly)));
      }),
    );
  });
});

/** The rule of gap G26 once more, in the plainest words. */
function comesFirst(left: RankedService, right: RankedService): boolean {
  if (left.passRate !== right.passRate) {
    if (left.passRate === null) return false;
    return right.passRate === null || left.passRate > right.passRate;
  }
  const [price, other] = [left.service.price, right.service.price];
  return price === other ? left.service.id < right.service.id : price < other;
}

function mixedBy(chance: Iterator<number>, made: readonly PaidCall[]): PaidCall[] {
  return made
    .map((one) => ({ one, at: Number(chance.next().value) }))
    .sort((left, right) => left.at - right.at)
    .map(({ one }) => one);
}
