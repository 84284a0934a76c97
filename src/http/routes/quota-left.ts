import type { QuotaLeft } from '../../flows/quota/quota-left.ts';
import type { FreeShares } from '../../pages/front/check-form.ts';
import { StoreFault } from '../../ports/store-fault.ts';
import type { Exchange } from '../exchange/exchange.ts';

/** What the caller's address has left today; null when the store cannot say, for then the page is still of use. */
export async function freeShares(exchange: Exchange, quotaLeft: QuotaLeft): Promise<FreeShares | null> {
  const caller = { address: exchange.callerAddress(), client: null };
  try {
    const [checks, dryRuns] = await Promise.all([
      quotaLeft('spot_check', caller),
      quotaLeft('dry_run', caller),
    ]);
    return { checks, dryRuns };
  } catch (fault) {
    if (fault instanceof StoreFault) return null;
    throw fault;
  }
}
