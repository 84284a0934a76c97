import { newestFirst, type PaidCall } from '../known-answer/paid-call.ts';
import { FACTS_ONLY_AFTER_FAILURES, STALE_AFTER_HOURS } from '../limits.ts';
import { order } from '../order.ts';
import { isSameAddress } from '../x402/address.ts';
import type { Service } from './read-catalog.ts';
import { wilsonInterval } from './wilson-interval.ts';

/** What is known about a service: its listing and all its paid calls, in any order. */
export interface ServiceRecord {
  readonly service: Service;
  readonly calls: readonly PaidCall[];
}

/** The facts of one service over its last n calls (gap G24). */
export interface ServiceFacts {
  readonly service: Service;
  readonly calls: readonly PaidCall[];
  readonly newestCallAt: Date | null;
  readonly stale: boolean;
  /** Distinct payees over all calls, the latest first. */
  readonly payees: readonly string[];
  readonly gradedCalls: number;
  readonly passedCalls: number;
}

export interface RankedService extends ServiceFacts {
  readonly passRate: number | null;
  /** The bounds of its 95 % interval. */
  readonly passRateLow: number | null;
  readonly passRateHigh: number | null;
  readonly deliveredRate: number | null;
}

export interface FactsOnlyService extends ServiceFacts {
  readonly factsOnlyReason: string;
}

export interface Ranking {
  readonly matched: number;
  readonly ranked: readonly RankedService[];
  readonly factsOnly: readonly FactsOnlyService[];
}

export interface RankingQuery {
  readonly n: number;
  readonly limit: number;
  readonly now: Date;
}

/**
 * Sorts by pass rate, then price, then id (gap G26). It sees only listings and paid calls: no tier, payer or caller can move
 * a result.
 */
export function rankServices(records: readonly ServiceRecord[], { n, limit, now }: RankingQuery): Ranking {
  const ranked: RankedService[] = [];
  const factsOnly: FactsOnlyService[] = [];
  for (const { service, calls } of records) {
    const sorted = newestFirst(calls);
    const facts = factsOf(service, sorted, n, now);
    const reason = factsOnlyReason(sorted, service.pinnedFactsOnly);
    if (reason === null) ranked.push(withRates(facts));
    else factsOnly.push({ ...facts, factsOnlyReason: reason });
  }
  return {
    matched: records.length,
    ranked: ranked.sort(byPassRateThenPrice).slice(0, limit),
    factsOnly: factsOnly.sort((left, right) => order(left.service.id, right.service.id)),
  };
}

const STALE_MS = STALE_AFTER_HOURS * 3_600_000;

function factsOf(service: Service, sorted: readonly PaidCall[], n: number, now: Date): ServiceFacts {
  const calls = sorted.slice(0, n);
  const newestCallAt = sorted[0]?.calledAt ?? null;
  return {
    service,
    calls,
    newestCallAt,
    stale: newestCallAt === null || now.getTime() - newestCallAt.getTime() > STALE_MS,
    payees: distinctPayees(sorted),
    gradedCalls: calls.filter(({ quality }) => quality !== 'not_graded').length,
    passedCalls: calls.filter(({ quality }) => quality === 'pass').length,
  };
}

function distinctPayees(sorted: readonly PaidCall[]): readonly string[] {
  const payees = sorted.flatMap(({ payTo }) => (payTo === null ? [] : [payTo]));
  return payees.filter((payee, index) => payees.findIndex((other) => isSameAddress(other, payee)) === index);
}

function withRates(facts: ServiceFacts): RankedService {
  const { calls, passedCalls, gradedCalls } = facts;
  const sellersTurn = calls.filter(({ ourFault }) => !ourFault);
  const delivered = sellersTurn.filter((call) => call.delivered).length;
  const interval = wilsonInterval(passedCalls, gradedCalls);
  return {
    ...facts,
    passRate: gradedCalls === 0 ? null : threeDecimals(passedCalls / gradedCalls),
    passRateLow: interval === null ? null : threeDecimals(interval.low),
    passRateHigh: interval === null ? null : threeDecimals(interval.high),
    deliveredRate: sellersTurn.length === 0 ? null : threeDecimals(delivered / sellersTurn.length),
  };
}

function threeDecimals(rate: number): number {
  return Math.round(rate * 1_000) / 1_000;
}

/** A service without graded calls ranks below every service that has some, even below those that always fail. */
export function byPassRateThenPrice(left: RankedService, right: RankedService): number {
  return (
    order(right.passRate ?? -1, left.passRate ?? -1) ||
    order(left.service.price, right.service.price) ||
    order(left.service.id, right.service.id)
  );
}

/**
 * Why a service is shown with its facts but outside the ranking; null when it is ranked (gap G25). Derived from the calls: the
 * last three delivered nothing; the next delivery ends it. An operator may pin it with a reason.
 */
export function factsOnlyReason(newestFirst: readonly PaidCall[], pinned: string | null): string | null {
  if (pinned !== null) return pinned;
  return deliversNothing(newestFirst)
    ? `the last ${FACTS_ONLY_AFTER_FAILURES} paid calls delivered nothing`
    : null;
}

/** Whether none of the last three calls delivered; calls that failed on our side do not count. */
export function deliversNothing(newestFirst: readonly PaidCall[]): boolean {
  const last = newestFirst.filter(({ ourFault }) => !ourFault).slice(0, FACTS_ONLY_AFTER_FAILURES);
  return last.length === FACTS_ONLY_AFTER_FAILURES && last.every(({ delivered }) => !delivered);
}
