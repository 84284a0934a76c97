import { type MicroUsd, microUsd } from '../money/micro-usd.ts';
import type { ServiceFacts } from './rank-services.ts';

/** Sums over services, of the calls that count for each. */
export interface CatalogTotals {
  readonly services: number;
  /** Those that we paid at least once. */
  readonly paid: number;
  readonly graded: number;
  readonly passed: number;
  readonly charged: MicroUsd;
}

export function catalogTotals(services: readonly ServiceFacts[]): CatalogTotals {
  const sum = (of: (facts: ServiceFacts) => number) => services.reduce((all, facts) => all + of(facts), 0);
  const charges = services.flatMap(({ calls }) => calls.map(({ charged }): bigint => charged ?? 0n));
  return {
    services: services.length,
    paid: sum(({ newestCallAt }) => (newestCallAt === null ? 0 : 1)),
    graded: sum(({ gradedCalls }) => gradedCalls),
    passed: sum(({ passedCalls }) => passedCalls),
    charged: microUsd(charges.reduce((all, one) => all + one, 0n)),
  };
}
