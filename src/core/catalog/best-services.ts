import { order } from '../order.ts';
import { byPassRateThenPrice, type RankedService } from './rank-services.ts';
import { serviceVerdict } from './service-verdict.ts';

/** Those that pass, by the lower bound of the pass rate: three right answers of three are not the best of all. */
export function selectBest(ranked: readonly RankedService[], limit: number): readonly RankedService[] {
  return ranked
    .filter(({ calls }) => serviceVerdict(calls).word === 'passes')
    .sort(
      (left, right) =>
        order(right.passRateLow ?? 0, left.passRateLow ?? 0) || byPassRateThenPrice(left, right),
    )
    .slice(0, limit);
}
