import type { SellPorts } from '../../flows/pay/sell.ts';
import type { QuotaLeft } from '../../flows/quota/quota-left.ts';
import type { FreeShares } from '../../pages/front/check-form.ts';
import { StoreFault } from '../../ports/store-fault.ts';
import type { Exchange } from '../exchange/exchange.ts';

/** What the caller's address has left today. */
export function freeShares(
  exchange: Exchange,
  quotaLeft: QuotaLeft,
  { payTo }: Pick<SellPorts, 'payTo'>,
): Promise<FreeShares | null> {
  const caller = { address: exchange.callerAddress(), client: null };
  return unlessStoreFails(async () => {
    const [checks, dryRuns] = await Promise.all([
      quotaLeft('spot_check', caller),
      quotaLeft('dry_run', caller),
    ]);
    return { checks, dryRuns, sells: payTo !== null };
  });
}

/** Null when the store is unavailable: a page without a number is better than no page. */
export async function unlessStoreFails<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (fault) {
    if (fault instanceof StoreFault) return null;
    throw fault;
  }
}
