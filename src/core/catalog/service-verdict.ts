import type { PaidCall } from '../known-answer/paid-call.ts';
import { SERVICE_VERDICT } from '../limits.ts';
import { type MicroUsd, microUsd } from '../money/micro-usd.ts';
import { deliversNothing } from './rank-services.ts';

/** What our own paid calls say about a service in one word. */
export type ServiceWord = 'unpaid' | 'undelivered' | 'too_few' | 'junk' | 'fails' | 'mixed' | 'passes';

export interface ServiceVerdict {
  readonly word: ServiceWord;
  readonly calls: number;
  readonly graded: number;
  readonly passed: number;
  readonly delivered: number;
  /** Calls that the seller took money for, and how much in all. */
  readonly chargedCalls: number;
  readonly charged: MicroUsd;
}

/** Depends on the calls alone: the same calls, the same word. */
export function serviceVerdict(newestFirst: readonly PaidCall[]): ServiceVerdict {
  const charges = newestFirst.flatMap(({ charged }) => (charged === null || charged === 0n ? [] : [charged]));
  const counts = {
    calls: newestFirst.length,
    graded: newestFirst.filter(({ quality }) => quality !== 'not_graded').length,
    passed: newestFirst.filter(({ quality }) => quality === 'pass').length,
    delivered: newestFirst.filter(({ delivered }) => delivered).length,
    chargedCalls: charges.length,
    charged: microUsd(charges.reduce((sum: bigint, one) => sum + one, 0n)),
  };
  return { word: wordOf(counts, deliversNothing(newestFirst)), ...counts };
}

function wordOf(counts: Omit<ServiceVerdict, 'word'>, isBroken: boolean): ServiceWord {
  const { calls, graded, passed, chargedCalls } = counts;
  const { gradedMin, passesFromPercent, failsBelowPercent } = SERVICE_VERDICT;
  if (calls === 0) return 'unpaid';
  if (isBroken) return 'undelivered';
  if (graded < gradedMin) return 'too_few';
  if (passed === 0 && chargedCalls > 0) return 'junk';
  // Whole numbers: a rate of exactly nine tenths must not be lost to rounding.
  if (100 * passed < failsBelowPercent * graded) return 'fails';
  return 100 * passed >= passesFromPercent * graded ? 'passes' : 'mixed';
}
